import { fold } from "@yagate/execution-machine/fold";
import { type CallState, initialState } from "@yagate/execution-machine/state";
import { defined } from "@yagate/lib/objects/defined";
import type { SecretMask } from "@yagate/lib/redaction/secret-mask";
import {
  type ExecutionEvent,
  hostedCallSchema,
  jsonValueSchema,
  type RecordedResult,
  type RecordedTurn,
  type Recording,
  sourceSchema,
  type ToolErrorRecord,
} from "@yagate/protocol";
import { outcomeKeyOf } from "./outcome-key.ts";

type Responded = Extract<ExecutionEvent, { type: "model.responded" }>;

/**
 * Builds the recording of an execution that has ended, with all secrets masked. Calls are identified by their masked
 * arguments, because those are what the recorded replies request.
 */
export function buildRecording(
  executionId: string,
  events: readonly ExecutionEvent[],
  mask: Pick<SecretMask, "text" | "json">,
): Recording {
  const state = events.reduce(fold, initialState(executionId));
  const modelTurns = events.flatMap((event) => (event.type === "model.responded" ? [toTurn(event, mask)] : []));
  const lastTurn = state.turns.at(-1);
  if (lastTurn !== undefined && lastTurn.phase !== "responded" && state.error !== null) {
    const { code, message } = state.error;
    modelTurns.push({ error: { code, message: mask.text(message) } });
  }
  const turns = state.turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((call) => ({ ...call, parameters: mask.json(call.parameters) })),
  }));
  const calls = turns.flatMap((turn) => turn.calls);
  return { modelTurns, toolResults: calls.flatMap((call) => toResult(call, { turns }, mask)) };
}

function toTurn(
  { text, toolCalls, finishReason, usage, ...event }: Responded,
  mask: Pick<SecretMask, "text" | "json">,
) {
  const hostedCalls = event.hostedCalls?.map((call) => hostedCallSchema.parse(mask.json(jsonValueSchema.parse(call))));
  const sources = event.sources?.map((source) => sourceSchema.parse(mask.json(jsonValueSchema.parse(source))));
  const turn: RecordedTurn = {
    text: mask.text(text),
    ...(toolCalls.length === 0
      ? {}
      : { toolCalls: toolCalls.map(({ name, parameters }) => ({ name, parameters: mask.json(parameters) })) }),
    finishReason: finishReason === "error" ? "other" : finishReason,
    ...defined({ hostedCalls, sources }),
    usage,
  };
  return turn;
}

/**
 * A denied call has no outcome: a person or the policy decides again when the recording is used. Neither has a call for
 * which an earlier recording had none.
 */
function toResult(
  call: CallState,
  state: Parameters<typeof outcomeKeyOf>[1],
  mask: Pick<SecretMask, "json">,
): readonly RecordedResult[] {
  const key = outcomeKeyOf(call, state);
  if (key === undefined) return [];
  if (call.status === "completed") return [{ ...key, result: mask.json(call.result ?? null) }];
  if (call.status !== "failed" || call.error === null || call.error.code === "REPLAY_DIVERGED") return [];
  return [{ ...key, error: toError(call.error, mask) }];
}

function toError(
  { code, message, hint, details, retryable, outcome, source }: ToolErrorRecord,
  mask: Pick<SecretMask, "json">,
): NonNullable<RecordedResult["error"]> {
  const masked = (text: string) => String(mask.json(text));
  return {
    code: masked(code),
    message: masked(message),
    ...(hint === undefined ? {} : { hint: masked(hint) }),
    ...(details === undefined ? {} : { details: mask.json(jsonValueSchema.parse(details)) }),
    ...{ retryable, outcome, source },
  };
}
