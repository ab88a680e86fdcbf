import { ARGUMENTS, CALL, CALLED, message, type Quirk, quirk, sse, TEXT, USAGE } from "./quirk.ts";

const LOOKUP = { name: "orders.lookup", parameters: { orderId: "ORD-1" } };
const expectCalls = (...toolCalls: readonly object[]): Quirk["expected"] => ({ ...CALLED, text: "", toolCalls });
const ONE = expectCalls(LOOKUP);
const calls = (tool_calls: unknown, finish: unknown = "tool_calls") =>
  message({ content: null, tool_calls }, { finish });
const withArguments = (given: object) => calls([{ ...CALL, function: { name: "orders_lookup", ...given } }]);
const whole = (tool_calls: unknown) => calls(tool_calls).whole;
const piece = (...tool_calls: readonly object[]) => ({
  choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }],
});
const END = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }], usage: USAGE };
const streamed = (...pieces: readonly object[]) => sse(...pieces, END, "[DONE]");
const SECOND = { ...CALL, function: { name: "orders_lookup", arguments: '{"orderId":"ORD-2"}' } };
const TWO = expectCalls(LOOKUP, { name: "orders.lookup", parameters: { orderId: "ORD-2" } });
const legacy = { name: "orders_lookup", arguments: ARGUMENTS };

const SECOND_WITH_ID = { ...SECOND, id: "call_b" };
const BEGUN = { index: 0, ...CALL, function: { name: "orders_lookup", arguments: '{"orderId":' } };
const REST = { arguments: '"ORD-1"}' };
const inPieces = (...pieces: readonly object[]) => ({ whole: whole([CALL]), streamed: streamed(...pieces) });
const twoInPieces = (...pieces: readonly object[]) => ({
  whole: whole([CALL, SECOND_WITH_ID]),
  streamed: streamed(...pieces),
});
const TWO_IN_PIECES = [
  piece(BEGUN),
  piece({ index: 0, function: REST }),
  piece({ ...BEGUN, id: "call_b" }),
  piece({ index: 0, function: { arguments: '"ORD-2"}' } }),
];

/** What servers do to tool calls. */
export const CALL_QUIRKS: readonly Quirk[] = [
  quirk("llama.cpp and TGI: arguments as an object", withArguments({ arguments: { orderId: "ORD-1" } }), ONE),
  quirk(
    "a server: arguments of null",
    withArguments({ arguments: null }),
    expectCalls({ name: "orders.lookup", parameters: {} }),
  ),
  quirk("a server: no arguments", withArguments({}), expectCalls({ name: "orders.lookup", parameters: {} })),
  quirk(
    "GLM behind OpenRouter: empty arguments",
    withArguments({ arguments: "" }),
    expectCalls({ name: "orders.lookup", parameters: {} }),
  ),
  quirk("NVIDIA NIM: a call without an id", calls([{ ...CALL, id: undefined }]), ONE),
  quirk("LM Studio: an empty id", calls([{ ...CALL, id: "" }]), ONE),
  quirk("a proxy: an id of null", calls([{ ...CALL, id: null }]), ONE),
  quirk("GLM at NVIDIA: an id that is a number", calls([{ ...CALL, id: 3 }]), ONE),
  quirk(
    "DeepSeek and GLM: two calls with one id",
    { whole: whole([CALL, SECOND]), streamed: streamed(piece({ index: 0, ...CALL }), piece({ index: 1, ...SECOND })) },
    TWO,
  ),
  quirk(
    "a server: two calls without ids and with one index",
    {
      whole: whole([CALL, SECOND].map((call) => ({ ...call, id: undefined, index: 0 }))),
      streamed: streamed(piece({ index: 0, ...CALL, id: undefined }), piece({ index: 0, ...SECOND, id: undefined })),
    },
    TWO,
  ),
  quirk(
    "Ollama: two calls with ids of their own and one index",
    {
      whole: whole([CALL, { ...SECOND, id: "call_b" }]),
      streamed: streamed(piece({ index: 0, ...CALL }), piece({ index: 0, ...SECOND, id: "call_b" })),
    },
    TWO,
  ),
  quirk("Gemini's compatible API: calls without an index", calls([CALL, { ...SECOND, id: "call_b" }]), TWO),
  quirk("a proxy: an index as text", calls([{ index: "0", ...CALL }]), ONE),
  quirk("Mistral on Azure: a call without a type", calls([{ ...CALL, type: undefined }]), ONE),
  quirk("Higress: an empty type", calls([{ ...CALL, type: "" }]), ONE),
  quirk("a proxy: one call in place of a list", calls(CALL), ONE),
  quirk("a proxy: null in the list of calls", calls([null, CALL]), ONE),
  quirk("a proxy: name and arguments without function around them", calls([{ id: "call_a", ...legacy }]), ONE),
  quirk(
    "older servers: function_call",
    message({ content: null, function_call: legacy }, { finish: "function_call" }),
    ONE,
  ),
  quirk(
    "a server: function_call that is null beside the calls",
    message({ tool_calls: [CALL], function_call: null }, { finish: "tool_calls" }),
    ONE,
  ),
  quirk(
    "llama-cpp-python: function_call beside the same call",
    message({ tool_calls: [CALL], function_call: legacy }, { finish: "tool_calls" }),
    ONE,
  ),
  quirk(
    "older servers: function_call in pieces",
    {
      whole: message({ function_call: legacy }, { finish: "function_call" }).whole,
      streamed: sse(
        { choices: [{ index: 0, delta: { function_call: { name: "orders_lookup", arguments: "" } } }] },
        { choices: [{ index: 0, delta: { function_call: { arguments: '{"orderId":' } } }] },
        { choices: [{ index: 0, delta: { function_call: { arguments: '"ORD-1"}' } } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: "function_call" }] },
        "[DONE]",
      ),
    },
    ONE,
  ),
  quirk("older mlx-vlm: the end stop after a call", calls([CALL], "stop"), ONE),
  quirk("Claude on Bedrock behind Bifrost: the end tool_use", calls([CALL], "tool_use"), ONE),
  quirk("a server: an end of null after a call", calls([CALL], null), ONE),
  quirk("a proxy: the end tool_call", calls([CALL], "tool_call"), ONE),
  quirk("LocalAI: the end tool_calls, and no call", message({ content: "It was shipped." }, { finish: "tool_calls" }), {
    text: "It was shipped.",
    finishReason: "stop",
    toolCalls: [],
  }),
  quirk("vLLM: an empty list of calls", message({ content: "It was shipped.", tool_calls: [] }), {
    text: "It was shipped.",
    finishReason: "stop",
    toolCalls: [],
  }),
  quirk(
    "a server: a thought, then <think>, then a call",
    message({ content: "<think>One look will do.</think>", tool_calls: [CALL] }, { finish: "tool_calls" }),
    { ...ONE, thoughts: "One look will do." },
  ),
  quirk(
    "a stream whose call begins before its name",
    {
      whole: whole([CALL]),
      streamed: streamed(
        piece({ index: 0, id: "call_a", type: "function", function: { arguments: "" } }),
        piece({ index: 0, function: { name: "orders_lookup", arguments: ARGUMENTS } }),
      ),
    },
    ONE,
  ),
  quirk(
    "a stream that repeats the id in every piece",
    {
      whole: whole([CALL]),
      streamed: streamed(
        piece({ index: 0, ...CALL, function: { name: "orders_lookup", arguments: '{"orderId":' } }),
        piece({ index: 0, id: "call_a", function: { arguments: '"ORD-1"}' } }),
      ),
    },
    ONE,
  ),
  quirk(
    "Fireworks: id and name in every piece",
    {
      whole: whole([CALL]),
      streamed: streamed(
        piece({ index: 0, ...CALL, function: { name: "orders_lookup", arguments: '{"orderId":' } }),
        piece({ index: 0, id: "call_a", function: { name: "orders_lookup", arguments: '"ORD-1"}' } }),
      ),
    },
    ONE,
  ),
  quirk(
    "DashScope: an empty id and an empty name in later pieces",
    {
      whole: whole([CALL]),
      streamed: streamed(
        piece({ index: 0, ...CALL, function: { name: "orders_lookup", arguments: '{"orderId":' } }),
        piece({ index: 0, id: "", function: { name: "", arguments: '"ORD-1"}' } }),
      ),
    },
    ONE,
  ),
  quirk(
    "a stream whose later pieces have no index",
    {
      whole: whole([CALL]),
      streamed: streamed(
        piece({ index: 0, ...CALL, function: { name: "orders_lookup", arguments: '{"orderId":' } }),
        piece({ function: { arguments: '"ORD-1"}' } }),
      ),
    },
    ONE,
  ),
  quirk(
    "SGLang: null for id, type and name in later pieces",
    inPieces(piece(BEGUN), piece({ index: 0, id: null, type: null, function: { name: null, ...REST } })),
    ONE,
  ),
  quirk(
    "a stream whose call begins with a name of null",
    inPieces(
      piece({ index: 0, id: "call_a", type: "function", function: { name: null, arguments: "" } }),
      piece({ index: 0, function: { name: "orders_lookup", arguments: ARGUMENTS } }),
    ),
    ONE,
  ),
  quirk(
    "LM Studio: an empty name and no id in later pieces",
    inPieces(piece(BEGUN), piece({ index: 0, type: "function", function: { name: "", ...REST } })),
    ONE,
  ),
  quirk(
    "Gemini's compatible API: arguments in pieces without an index",
    inPieces(piece({ ...BEGUN, index: undefined }), piece({ function: REST })),
    ONE,
  ),
  quirk(
    "Gemini's compatible API: calls without an index, each in a piece of its own",
    twoInPieces(piece(CALL), piece(SECOND_WITH_ID)),
    TWO,
  ),
  quirk("a server: two calls with one index, each in several pieces", twoInPieces(...TWO_IN_PIECES), TWO),
  quirk(
    "mini-sglang: calls in a stream although none was asked for",
    {
      whole: streamed(...TWO_IN_PIECES),
      streamed: streamed(piece({ index: 0, ...CALL }, { index: 1, ...SECOND_WITH_ID })),
    },
    TWO,
  ),
  quirk(
    "GitHub Copilot with Claude: the words and each call in a choice of its own, without an index",
    {
      whole: JSON.stringify({
        choices: [{ content: TEXT }, { tool_calls: [CALL] }, { tool_calls: [SECOND_WITH_ID] }].map((said) => ({
          message: { role: "assistant", ...said },
          finish_reason: "tool_calls",
        })),
        usage: USAGE,
      }),
      streamed: streamed({
        choices: [{ content: TEXT }, { tool_calls: [CALL] }, { tool_calls: [SECOND_WITH_ID] }].map((delta) => ({
          delta,
        })),
      }),
    },
    { ...TWO, text: TEXT },
  ),
  quirk(
    "a proxy: fields of a call with nothing in them beside an answer",
    message({ content: TEXT, function_call: { name: "", arguments: "" } }),
  ),
  quirk("a proxy: a list of calls that holds an empty one", message({ content: TEXT, tool_calls: [{}] })),
  quirk(
    "a call without a name",
    calls([{ id: "call_a", type: "function", function: { arguments: ARGUMENTS } }]),
    expectCalls({ name: "(unnamed)", parameters: { orderId: "ORD-1" } }),
  ),
];
