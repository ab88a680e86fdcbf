import { encode, fragments, type WireContent, type WireFormat } from "./wire-format.ts";

const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
const head = { id: "resp_1", object: "response", created_at: 1, model: "grok-4", output: [] };

const reasonOf = ({ end }: WireContent) =>
  ({ complete: undefined, length: "max_output_tokens", refused: "content_filter" })[end];

function lastEvent(content: WireContent): object {
  const reason = reasonOf(content);
  return reason === undefined
    ? { type: "response.completed", response: { ...head, status: "completed", usage } }
    : { type: "response.incomplete", response: { incomplete_details: { reason }, usage } };
}

function itemsOf({ reasoning, text, calls = [] }: WireContent) {
  return [
    ...(reasoning === undefined
      ? []
      : [
          {
            item: {
              type: "reasoning",
              id: "rs_1",
              summary: [{ type: "summary_text", text: reasoning }],
              status: "completed",
              encrypted_content: "encrypted-1",
            },
            deltas: [],
          },
        ]),
    ...(text === undefined
      ? []
      : [
          {
            item: { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [] },
            deltas: fragments(text).map((delta) => ({
              type: "response.output_text.delta",
              item_id: "msg_1",
              content_index: 0,
              delta,
            })),
          },
        ]),
    ...calls.map((call) => ({
      item: {
        type: "function_call",
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
        status: "completed",
      },
      deltas: fragments(call.arguments).map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id: `fc_${call.id}`,
        delta,
      })),
    })),
  ];
}

export const xai: WireFormat = {
  name: "xAI",
  model: "grok-4",
  settings: (url) => ({ xai: { apiKey: "xai-test", baseUrl: url } }),
  whole: (content) => {
    const reason = reasonOf(content);
    const text = [{ type: "output_text", text: content.text ?? "", annotations: [] }];
    return {
      ...head,
      status: reason === undefined ? "completed" : "incomplete",
      ...(reason === undefined ? {} : { incomplete_details: { reason } }),
      output: itemsOf(content).map(({ item }) => (item.type === "message" ? { ...item, content: text } : item)),
      usage,
    };
  },
  stream: (content) =>
    encode([
      { type: "response.created", response: head },
      ...itemsOf(content).flatMap(({ item, deltas }, index) => [
        {
          type: "response.output_item.added",
          output_index: index,
          item: "arguments" in item ? { ...item, arguments: "" } : item,
        },
        ...deltas.map((delta) => ({ ...delta, output_index: index })),
        { type: "response.output_item.done", output_index: index, item },
      ]),
      lastEvent(content),
    ]),
  keyVariable: "XAI_API_KEY",
  refusal: ({ message, code = "The service is currently unavailable" }) => ({ code, error: message }),
  streamedFault: ({ message, code = "service_unavailable" }) => ({ type: "error", code, message, param: null }),
  endingEvents: 1,
};
