import { COUNTED, message, type Quirk, quirk, SAID, sse, TEXT, USAGE } from "./quirk.ts";

const plain = message({ content: TEXT });
const first = { choices: [{ index: 0, delta: { content: "It was " }, finish_reason: null }] };
const second = { choices: [{ index: 0, delta: { content: "shipped." }, finish_reason: null }] };
const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: USAGE };
const stream = (name: string, streamed: string, whole = plain.whole) => quirk(name, { whole, streamed });
const inLines = JSON.stringify(JSON.parse(plain.whole), null, 2);
const judged = {
  index: 0,
  finish_reason: null,
  content_filter_results: { hate: { filtered: false, severity: "safe" } },
  content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
};
const lines = (separator: string, between = "\n\n") =>
  [first, second, end].map((piece) => `data:${separator}${JSON.stringify(piece)}${between}`).join("");

/** What servers do to streams, and to the bytes around an answer. */
export const STREAM_QUIRKS: readonly Quirk[] = [
  stream("a server that does not stream: the whole answer as JSON", plain.whole),
  stream("a server that does not stream: the whole answer as one event", sse(plain.whole, "[DONE]")),
  stream("mini-sglang: a stream although none was asked for", sse(first, second, end, "[DONE]"), lines(" ")),
  stream(
    "9router: [DONE] behind an answer at once",
    `${plain.whole}\n\ndata: [DONE]\n\n`,
    `${plain.whole}\n\ndata: [DONE]\n\n`,
  ),
  stream("9router: [DONE] right behind an answer in several lines", `${inLines}data: [DONE]`, `${inLines}data: [DONE]`),
  stream("AgentRouter: pieces that are null", sse(first, "null", second, "null", end, "[DONE]")),
  stream("OpenRouter: comments while it waits", `: OPENROUTER PROCESSING\n\n${lines(" ")}data: [DONE]\n\n`),
  stream("LongCat: no space behind data:", `${lines("")}data:[DONE]\n\n`),
  stream(
    "sse-starlette: lines that end in a carriage return and a line feed",
    `${lines(" ", "\r\n\r\n")}data: [DONE]\r\n\r\n`,
  ),
  stream("lines that end in a carriage return", `${lines(" ", "\r\r")}data: [DONE]\r\r`),
  stream("events that no empty line parts", `${lines(" ", "\n")}data: [DONE]\n`),
  stream("events with a name and an id", lines(" ").replaceAll("data:", "event: message\nid: 1\nretry: 5\ndata:")),
  stream("a last event without an empty line", lines(" ").trimEnd()),
  stream("Perplexity: no [DONE]", lines(" ")),
  stream("no reason for the end but [DONE]", sse(first, second, { choices: [], usage: USAGE }, "[DONE]")),
  stream("empty data as a sign of life", `data: \n\ndata:\n\n${lines(" ")}data: [DONE]\n\n`),
  stream(
    "JSON over several lines",
    sse(first, second) +
      JSON.stringify(end, null, 1)
        .split("\n")
        .map((line) => `data: ${line}\n`)
        .join("") +
      "\ndata: [DONE]\n\n",
  ),
  stream("a byte order mark", `\ufeff${lines(" ")}`, `\ufeff${plain.whole}`),
  stream(
    "DeepSeek and OpenRouter: empty lines before the answer",
    `\n\n${lines(" ")}`,
    `\n\n         \n${plain.whole}\n`,
  ),
  stream(
    "Azure: a first piece without choices that judges the prompt",
    sse({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }, first, second, end, "[DONE]"),
  ),
  stream(
    "Azure with its asynchronous filter: a piece behind the end that judges the answer, without a delta",
    sse(first, second, end, { id: "", object: "", created: 0, model: "", choices: [judged], usage: null }, "[DONE]"),
  ),
  stream(
    "older Ollama and SGLang: an empty end until the last piece",
    sse(...[first, second].map(({ choices: [choice] }) => ({ choices: [{ ...choice, finish_reason: "" }] })), end),
  ),
  stream(
    "MiniMax: choices of null",
    sse({ object: "chat.completion.chunk", choices: null }, first, second, end, { choices: null, usage: USAGE }),
  ),
  stream(
    "MiniMax: an empty role, and counts of nothing until the end",
    sse(
      { choices: [{ index: 0, delta: { role: "" } }], usage: { total_tokens: 0, total_characters: 0 } },
      first,
      second,
      end,
      "[DONE]",
    ),
  ),
  stream(
    "Perplexity: the message so far beside each delta",
    sse(
      { choices: [{ ...first.choices[0], message: { role: "assistant", content: "It was " } }] },
      { choices: [{ ...second.choices[0], message: { role: "assistant", content: TEXT } }] },
      { ...end, choices: [{ ...end.choices[0], message: { role: "assistant", content: TEXT } }] },
    ),
    message({ content: TEXT }, { around: { citations: ["https://example.com/"], search_results: [] } }).whole,
  ),
  stream(
    "DeepInfra: a last piece that only counts, and has no choices at all",
    sse(first, second, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }, { usage: USAGE }, "[DONE]"),
  ),
  stream(
    "Perplexity: counts in every piece",
    sse(
      { ...first, usage: { ...USAGE, completion_tokens: 1 } },
      { ...second, usage: { ...USAGE, completion_tokens: 6 } },
      end,
      "[DONE]",
    ),
  ),
  stream(
    "Gemini behind Envoy AI Gateway: a last piece without a delta",
    sse(first, second, { choices: [{ index: 0, finish_reason: "stop" }], usage: USAGE }, "[DONE]"),
  ),
  stream(
    "a delta of null",
    sse(first, second, { choices: [{ index: 0, delta: null, finish_reason: "stop" }], usage: USAGE }, "[DONE]"),
  ),
  stream(
    "pieces with a message in place of a delta",
    sse({ choices: [{ index: 0, message: { content: TEXT } }] }, end, "[DONE]"),
  ),
  stream(
    "several answers: only the first one counts",
    sse(
      { choices: [{ index: 1, delta: { content: "No." } }] },
      first,
      { choices: [{ index: 1, delta: { content: "No." } }, ...second.choices] },
      { choices: [{ index: 1, delta: {}, finish_reason: "length" }] },
      end,
      "[DONE]",
    ),
    JSON.stringify({
      choices: [
        { index: 1, message: { content: "No." }, finish_reason: "length" },
        { index: 0, message: { content: TEXT }, finish_reason: "stop" },
      ],
      usage: USAGE,
    }),
  ),
  stream(
    "vLLM: the last words with the reason for the end",
    sse(first, { choices: [{ ...second.choices[0], finish_reason: "stop" }], usage: USAGE }, "[DONE]"),
  ),
  stream("more events after [DONE]", `${lines(" ")}data: [DONE]\n\ndata: {"choices":[{"delta":{"content":"!"}}]}\n\n`),
  quirk(
    "the tag of thoughts in several pieces",
    {
      whole: message({ content: `<think>One look.</think>${TEXT}` }).whole,
      streamed: sse(
        ...["<th", "ink>One", " look.</thi", "nk>", TEXT].map((content) => ({
          choices: [{ index: 0, delta: { content } }],
        })),
        end,
        "[DONE]",
      ),
    },
    { ...SAID, ...COUNTED, thoughts: "One look." },
  ),
];
