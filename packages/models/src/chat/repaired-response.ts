import { toRecord } from "../hosted/record.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Completes a response or event of the Responses API for the AI SDK. The SDK's xAI provider expects a status in every
 * item, but OpenAI's reasoning items have none. The SDK also expects a separate event that explains a truncated
 * response. Proxies that serve other models through this API do not always send a status or this event.
 */
export function repairedResponse(value: unknown): Fields | undefined {
  const answer = toRecord(value);
  if (answer === undefined) return undefined;
  const response = toRecord(answer["response"]);
  if (response === undefined)
    return { ...withReason(answer), ...("item" in answer ? { item: withStatus(answer["item"]) } : {}) };
  const isCutOff = response["status"] === "incomplete" && answer["type"] === "response.completed";
  return { ...answer, ...(isCutOff ? { type: "response.incomplete" } : {}), response: withReason(response) };
}

/** Reduces a failed response to a form that is parsed as an error; undefined if the response did not fail. */
export function failedResponse(value: unknown): Fields | undefined {
  const { status, error, usage } = toRecord(value) ?? {};
  return status === "failed" && toRecord(error) !== undefined ? { error, usage } : undefined;
}

function withReason(response: Fields): Fields {
  const { status, incomplete_details } = response;
  const isUnexplained = status === "incomplete" && toRecord(incomplete_details) === undefined;
  return {
    ...response,
    ...withItems(response),
    ...(isUnexplained ? { incomplete_details: { reason: "max_output_tokens" } } : {}),
  };
}

function withItems({ output }: Fields): { output?: readonly unknown[] } {
  return Array.isArray(output) ? { output: output.map(withStatus) } : {};
}

function withStatus(item: unknown): unknown {
  const fields = toRecord(item);
  return fields === undefined || typeof fields["status"] === "string" ? item : { ...fields, status: "completed" };
}
