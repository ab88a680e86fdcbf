import type { ExecutionInput } from "@yagate/protocol";
import type { AssistantPart, ModelMessage, ToolResultForModel } from "../models/port.ts";
import { projectError, projectResult } from "../projection/project.ts";
import { editNote } from "./machine/edit-note.ts";
import { MAX_RESULT_CHARACTERS } from "./machine/result-tokens.ts";
import type { CallState, ExecutionState, TurnState } from "./machine/state.ts";

/** The messages of the next model turn. Results stand in call order, one for each call. */
export function toConversation(
  state: ExecutionState,
  input: ExecutionInput,
  assistantMessages: ReadonlyMap<number, readonly AssistantPart[]>,
): readonly ModelMessage[] {
  const answered = state.turns.filter((turn) => turn.phase === "responded");
  return [...toInputMessages(input), ...answered.flatMap((turn) => toTurnMessages(turn, assistantMessages))];
}

function toInputMessages(input: ExecutionInput): readonly ModelMessage[] {
  if (typeof input === "string") return [{ role: "user", text: input }];
  return input.map(({ role, content }) =>
    role === "user" ? { role, text: content } : { role, parts: [{ type: "text", text: content }] },
  );
}

function toTurnMessages(
  turn: TurnState,
  assistantMessages: ReadonlyMap<number, readonly AssistantPart[]>,
): readonly ModelMessage[] {
  const parts = assistantMessages.get(turn.number) ?? [];
  if (turn.calls.length === 0) return parts.length === 0 ? [] : [{ role: "assistant", parts }];
  const providerIds = new Map(
    parts.flatMap((part) => (part.type === "tool_call" ? [[part.toolCallId, part.providerCallId] as const] : [])),
  );
  const results = turn.calls.map((call) => toResult(call, providerIds.get(call.id) ?? call.id));
  return [
    { role: "assistant", parts },
    { role: "tool", results },
  ];
}

function toResult(call: CallState, providerCallId: string): ToolResultForModel {
  const isError = call.status !== "completed";
  const text =
    isError && call.error !== null
      ? projectError(call.error)
      : projectResult(call.result ?? null, MAX_RESULT_CHARACTERS);
  return { toolCallId: call.id, providerCallId, name: call.name, isError, text: editNote(call) + text };
}
