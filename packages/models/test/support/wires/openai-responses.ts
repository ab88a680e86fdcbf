import { encode, fragments, type WireContent, type WireFormat } from "./wire-format.ts";

function responsesEnd({ end }: WireContent) {
  const reason = { complete: undefined, length: "max_output_tokens", refused: "content_filter" }[end];
  return {
    id: "resp_1",
    created_at: 1,
    model: "gpt-4.1",
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    usage: { input_tokens: 11, output_tokens: 7 },
  };
}

export const openAiResponses: WireFormat = {
  name: "OpenAI's Responses API",
  model: "openai/gpt-4.1",
  settings: () => ({ openai: { apiKey: "sk-test-0123456789" } }),
  keyVariable: "OPENAI_API_KEY",
  refusal: ({ message, code = "server_error" }) => ({ error: { message, type: code, param: null, code } }),
  streamedFault: ({ message, code = "server_error" }) => ({
    type: "error",
    sequence_number: 9,
    code,
    message,
    param: null,
  }),
  endingEvents: 1,
  whole: (content) => ({
    ...responsesEnd(content),
    output: [
      ...(content.text === undefined
        ? []
        : [
            {
              type: "message",
              id: "msg_1",
              role: "assistant",
              content: [{ type: "output_text", text: content.text, annotations: [] }],
            },
          ]),
      ...(content.calls ?? []).map((call) => ({
        type: "function_call",
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
      })),
    ],
  }),
  stream: (content) => {
    const message = { type: "message", id: "msg_1", role: "assistant", content: [] };
    const calls = (content.calls ?? []).map((call, index) => ({
      index: index + 1,
      item: { type: "function_call", id: `fc_${call.id}`, call_id: call.id, name: call.name, status: "completed" },
      arguments: call.arguments,
    }));
    return encode([
      { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-4.1" } },
      ...(content.text === undefined
        ? []
        : [
            { type: "response.output_item.added", output_index: 0, item: message },
            ...fragments(content.text).map((delta) => ({
              type: "response.output_text.delta",
              item_id: "msg_1",
              output_index: 0,
              content_index: 0,
              delta,
            })),
            { type: "response.output_item.done", output_index: 0, item: message },
          ]),
      ...calls.flatMap(({ index, item, arguments: text }) => [
        { type: "response.output_item.added", output_index: index, item: { ...item, arguments: "" } },
        ...fragments(text).map((delta) => ({
          type: "response.function_call_arguments.delta",
          item_id: item.id,
          output_index: index,
          delta,
        })),
        { type: "response.output_item.done", output_index: index, item: { ...item, arguments: text } },
      ]),
      {
        type: content.end === "complete" ? "response.completed" : "response.incomplete",
        response: responsesEnd(content),
      },
    ]);
  },
};
