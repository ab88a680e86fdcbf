import type { AssistantPart, ModelToolCall, ModelTurn } from "@yagate/models/port";
import type { JsonValue, RecordedTurn } from "@yagate/protocol";

/** Why a recording has no reply for a model turn, or the error that it recorded. */
export class RecordedFailure extends Error {
  override readonly name = "RecordedFailure";
  readonly code: string;

  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.code = code;
  }
}

/** Returns a call of a recorded reply. Arguments that are a text were not valid JSON. */
export function toTurnCall(
  { name, parameters }: { readonly name: string; readonly parameters: JsonValue },
  toolCallId: string,
  providerCallId: string,
): ModelToolCall {
  const call = { toolCallId, providerCallId, name, parameters };
  return typeof parameters === "string" ? { ...call, malformed: "expected the arguments as a JSON object" } : call;
}

/**
 * Returns the reply of a recorded model turn, which costs nothing.
 *
 * @throws RecordedFailure if an error was recorded instead of a reply.
 */
export function toRecordedReply(recorded: RecordedTurn, turn: number, newToolCallId: () => string): ModelTurn {
  const { text = "", toolCalls: calls = [], hostedCalls = [], sources = [], usage, error } = recorded;
  if (error !== undefined) throw new RecordedFailure(error);
  const toolCalls = calls.map((call, index) => toTurnCall(call, newToolCallId(), `call_${turn}_${index + 1}`));
  const parts: AssistantPart[] = [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...toolCalls.map(({ malformed: _, ...call }) => ({ type: "tool_call" as const, ...call })),
  ];
  return {
    ...{ text, toolCalls, parts, hostedCalls, sources },
    finishReason: recorded.finishReason ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: usage ?? { inputTokens: 0, outputTokens: 0 },
    cost: { usd: 0, isPartial: false },
  };
}
