import { message, type Quirk, quirk, SAID, sse, TEXT, UNCOUNTED, USAGE } from "./quirk.ts";

const said = { content: TEXT };
const ended = (finish: unknown, expected: Quirk["expected"] = SAID) =>
  [message(said, { finish }), { text: TEXT, ...expected }] as const;
const thinks = (thought: object) => message({ ...thought, content: TEXT });
const THOUGHT = { ...SAID, thoughts: "One look will do." };
const CACHED = { ...SAID, usage: { inputTokens: 11, outputTokens: 7, cachedInputTokens: 4 } };
const counts = (around: object) => message(said, { around: { usage: undefined, ...around } });

/** What servers do to words, ends and counts. */
export const TEXT_QUIRKS: readonly Quirk[] = [
  quirk(
    "a server: no id, no creation time, no model",
    message(said, { around: { id: undefined, created: undefined, model: undefined } }),
  ),
  quirk("a server: an id that is a number", message(said, { around: { id: 7 } })),
  quirk("SambaNova: a creation time with a fraction", message(said, { around: { created: 1.5 } })),
  quirk("a proxy: a creation time as text", message(said, { around: { created: "2026-11-22T08:00:00Z" } })),
  quirk("a server: an empty object name", message(said, { around: { object: "" } })),
  quirk("a server: the object name of text completions", message(said, { around: { object: "text_completion" } })),
  quirk("Groq: x_groq beside the answer", message(said, { around: { x_groq: { id: "req_1" } } })),
  quirk(
    "vLLM: prompt_logprobs, kv_transfer_params and a stop_reason",
    message(said, { choice: { stop_reason: 128001 }, around: { prompt_logprobs: null, kv_transfer_params: null } }),
  ),
  quirk("SGLang: matched_stop in the choice", message(said, { choice: { matched_stop: "</s>" } })),
  quirk(
    "Azure: content_filter_results in the choice",
    message(said, { choice: { content_filter_results: { hate: { filtered: false, severity: "safe" } } } }),
  ),
  quirk(
    "Fireworks: token_ids and a raw_output in the choice",
    message(said, { choice: { token_ids: [1, 2], raw_output: null } }),
  ),
  quirk(
    "a server: a seed in the choice and a prompt list",
    message(said, { choice: { seed: 1 }, around: { prompt: [] } }),
  ),
  quirk(
    "OpenRouter: native_finish_reason in the choice and a provider",
    message(said, { choice: { native_finish_reason: "STOP" }, around: { provider: "Google" } }),
  ),
  quirk("a server: an error that is null", message(said, { around: { error: null } })),
  quirk("a proxy: an error that is an empty text", message(said, { around: { error: "" } })),
  quirk("DeepSeek: a role of null", message({ role: null, ...said })),
  quirk("MiniMax: an empty role", message({ role: "", ...said })),
  quirk("a proxy: the role model", message({ role: "model", ...said })),
  quirk(
    "llama-cpp-python: logprobs in the form of text completions",
    message(said, {
      choice: { logprobs: { text_offset: [0], token_logprobs: [-0.1], tokens: ["It"], top_logprobs: [null] } },
    }),
  ),
  quirk("GitHub Copilot with Claude: a choice without an index", message(said, { choice: { index: undefined } })),
  quirk("a server: the text of a choice in place of a message", {
    whole: JSON.stringify({ choices: [{ text: TEXT, finish_reason: "stop" }], usage: USAGE }),
    streamed: sse(
      { choices: [{ text: TEXT, finish_reason: null }] },
      { choices: [{ text: "", finish_reason: "stop" }], usage: USAGE },
      "[DONE]",
    ),
  }),
  quirk(
    "a server: content as a list of texts",
    message({
      content: [
        { type: "text", text: "It was " },
        { type: "text", text: "shipped." },
      ],
    }),
  ),
  quirk(
    "Databricks: content as a list with reasoning",
    message({
      content: [
        { type: "reasoning", summary: [{ type: "summary_text", text: "One look will do." }] },
        { type: "text", text: TEXT },
      ],
    }),
    THOUGHT,
  ),
  quirk(
    "Magistral: content as a list with a list of thoughts",
    message({
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "One look will do." }] },
        { type: "text", text: TEXT },
      ],
    }),
    THOUGHT,
  ),
  quirk("DeepSeek: reasoning_content", thinks({ reasoning_content: "One look will do." }), THOUGHT),
  quirk(
    "OpenRouter: reasoning beside its reasoning_details",
    thinks({
      reasoning: "One look will do.",
      reasoning_details: [{ type: "reasoning.text", text: "One look will do." }],
    }),
    THOUGHT,
  ),
  quirk(
    "vLLM: reasoning and reasoning_content with the same thought",
    thinks({ reasoning: "One look will do.", reasoning_content: "One look will do." }),
    THOUGHT,
  ),
  quirk(
    "a server: an empty reasoning_content beside the thought",
    thinks({ reasoning_content: "", reasoning: "One look will do." }),
    THOUGHT,
  ),
  quirk("Ollama: reasoning", thinks({ reasoning: "One look will do." }), THOUGHT),
  quirk("a proxy: thinking, as in Ollama's own API", thinks({ thinking: "One look will do." }), THOUGHT),
  quirk(
    "LMDeploy: <think> in the text",
    message({ content: `<think>\nOne look will do.\n</think>\n\n${TEXT}` }),
    THOUGHT,
  ),
  quirk("Qwen without thinking: an empty <think>", message({ content: `<think>\n\n</think>\n\n${TEXT}` }), {
    ...SAID,
    thoughts: "",
  }),
  quirk(
    "a server: white space before <think>",
    message({ content: `\n\n<think>One look will do.</think>${TEXT}` }),
    THOUGHT,
  ),
  quirk(
    "a model that thinks twice before it answers",
    message({ content: `<think>One look </think>\n<think>will do.</think>\n${TEXT}` }),
    { ...SAID, thoughts: "One look will do." },
  ),
  quirk("a model that writes about the tag", message({ content: "Put it into <think>…</think>." }), {
    text: "Put it into <think>…</think>.",
    finishReason: "stop",
    thoughts: "",
  }),
  quirk("a thought that was cut off", message({ content: "<think>One look will" }, { finish: "length" }), {
    text: "",
    finishReason: "length",
    thoughts: "One look will",
  }),
  quirk("a server: a refusal of null", message({ ...said, refusal: null })),
  quirk("a proxy: a refusal of false", message({ ...said, refusal: false })),
  quirk("OpenAI: a refusal in place of content", message({ content: null, refusal: "I can't." }), {
    text: "I can't.",
    finishReason: "refused",
  }),
  quirk("TGI: the end eos_token", ...ended("eos_token")),
  quirk("Together: the end eos", ...ended("eos")),
  quirk("a server: the end stop_sequence", ...ended("stop_sequence")),
  quirk("Claude behind OpenRouter: the end end_turn", ...ended("end_turn")),
  quirk("Gemini behind a proxy: the end STOP", ...ended("STOP")),
  quirk("Gemini behind a proxy: the end MAX_TOKENS", ...ended("MAX_TOKENS", { finishReason: "length" })),
  quirk("a proxy: the end max_tokens", ...ended("max_tokens", { finishReason: "length" })),
  quirk("Mistral: the end model_length", ...ended("model_length", { finishReason: "length" })),
  quirk(
    "Z.AI: the end model_context_window_exceeded",
    ...ended("model_context_window_exceeded", { finishReason: "length" }),
  ),
  quirk("Z.AI: the end sensitive", ...ended("sensitive", { finishReason: "refused" })),
  quirk("a proxy: the end SAFETY", ...ended("SAFETY", { finishReason: "refused" })),
  quirk("a server: an end of null", ...ended(null)),
  quirk("a proxy: an empty end", ...ended("")),
  quirk("a server: no counts", counts({}), { ...SAID, ...UNCOUNTED }),
  quirk("a server: counts of null", counts({ usage: null }), { ...SAID, ...UNCOUNTED }),
  quirk("Groq: the counts of a stream in x_groq", counts({ x_groq: { usage: USAGE } })),
  quirk(
    "llama.cpp: timings in place of counts",
    counts({ timings: { prompt_n: 4, cache_n: 7, predicted_n: 7, predicted_ms: 12.5 } }),
    { ...SAID, usage: { inputTokens: 11, outputTokens: 7, cachedInputTokens: 7 } },
  ),
  quirk("mlx-vlm: counts as input_tokens and output_tokens", counts({ usage: { input_tokens: 11, output_tokens: 7 } })),
  quirk("a proxy: counts as text", counts({ usage: { prompt_tokens: "11", completion_tokens: "7" } })),
  quirk(
    "DeepSeek: cache hits and misses among the counts",
    counts({ usage: { ...USAGE, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 7 } }),
    CACHED,
  ),
  quirk("Moonshot: what was cached beside the other counts", counts({ usage: { ...USAGE, cached_tokens: 4 } }), CACHED),
  quirk(
    "a proxy: details beside another count of what was cached",
    counts({ usage: { ...USAGE, cached_tokens: 9, prompt_tokens_details: { cached_tokens: 4 } } }),
    CACHED,
  ),
  quirk("Moonshot: the counts in the choice", {
    whole: message(said, { choice: { usage: USAGE }, around: { usage: undefined } }).whole,
    streamed: sse(
      { choices: [{ index: 0, delta: said, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: USAGE }] },
      "[DONE]",
    ),
  }),
  quirk(
    "a server: details of null among the counts",
    counts({ usage: { ...USAGE, prompt_tokens_details: null, completion_tokens_details: null } }),
  ),
  quirk(
    "OpenRouter: the cost and a null among the counts",
    counts({
      usage: { ...USAGE, cost: 0.001, service_tier: "default", prompt_tokens_details: { cached_tokens: null } },
    }),
  ),
];
