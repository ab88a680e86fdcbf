import { encode, fragments, type WireContent, type WireFormat } from "./wire-format.ts";

function anthropicEnd({ end, calls = [] }: WireContent): string {
  if (end !== "complete") return end === "length" ? "max_tokens" : "refusal";
  return calls.length > 0 ? "tool_use" : "end_turn";
}

const anthropicMessage = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-20250514" };

export const anthropic: WireFormat = {
  name: "Anthropic",
  model: "claude-sonnet-4-20250514",
  settings: (url) => ({ anthropic: { apiKey: "sk-ant-test", baseUrl: url } }),
  keyVariable: "ANTHROPIC_API_KEY",
  refusal: ({ message, code = "overloaded_error" }) => ({ type: "error", error: { type: code, message } }),
  streamedFault: ({ message, code = "overloaded_error" }) => ({ type: "error", error: { type: code, message } }),
  endingEvents: 2,
  lacks: ["empty arguments"],
  whole: (content) => ({
    ...anthropicMessage,
    content: [
      ...(content.text === undefined ? [] : [{ type: "text", text: content.text }]),
      ...(content.calls ?? []).map((call) => ({
        type: "tool_use",
        id: call.id,
        name: call.name,
        input: JSON.parse(call.arguments),
      })),
    ],
    stop_reason: anthropicEnd(content),
    usage: { input_tokens: 11, output_tokens: 7 },
  }),
  stream: (content) => {
    const blocks = [
      ...(content.text === undefined
        ? []
        : [
            {
              start: { type: "text", text: "" },
              deltas: fragments(content.text).map((text) => ({ type: "text_delta", text })),
            },
          ]),
      ...(content.calls ?? []).map((call) => ({
        start: { type: "tool_use", id: call.id, name: call.name, input: {} },
        deltas: fragments(call.arguments).map((json) => ({ type: "input_json_delta", partial_json: json })),
      })),
    ];
    return encode([
      {
        type: "message_start",
        message: { ...anthropicMessage, content: [], stop_reason: null, usage: { input_tokens: 11, output_tokens: 0 } },
      },
      ...blocks.flatMap(({ start, deltas }, index) => [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: anthropicEnd(content) }, usage: { output_tokens: 7 } },
      { type: "message_stop" },
    ]);
  },
};
