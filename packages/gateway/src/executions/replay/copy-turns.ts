import { defined } from "@yagate/lib/objects/defined";
import type { ExecutionEvent, JsonObject } from "@yagate/protocol";
import type { EventEntry } from "@yagate/store/port";
import type { CopiedTurn } from "../recording/copied-turn.ts";
import { servedBy } from "../recording/served-request.ts";

type Requested = Extract<ExecutionEvent, { type: "tool_call.requested" }>;
type Moved = Extract<ExecutionEvent, { type: "route.changed" }>;
type Ended = CopiedTurn["calls"][number]["ended"];

/**
 * Copies the model turns before `fromTurn` with the events that ended their calls.
 *
 * @param entries - the complete log of an execution that has reached `fromTurn`, so all of these calls have ended.
 */
export function copyTurns(entries: readonly EventEntry[], fromTurn: number): readonly CopiedTurn[] {
  const requested = new Map<number, Requested[]>();
  const moved = new Map<string, Moved[]>();
  const ended = new Map<string, Ended>();
  const edited = new Map<string, JsonObject>();
  for (const { event } of entries) {
    if (event.type === "tool_call.requested") {
      requested.set(event.turn, [...(requested.get(event.turn) ?? []), event]);
    }
    if (event.type === "route.changed") {
      moved.set(event.toolCallId, [...(moved.get(event.toolCallId) ?? []), event]);
    }
    if (event.type === "approval.resolved" && event.parameters !== undefined) {
      edited.set(event.toolCallId, event.parameters);
    }
    // A call that was held for a fallback has several of these events; the last one ended it.
    if (
      event.type === "tool_call.completed" ||
      event.type === "tool_call.failed" ||
      event.type === "tool_call.denied"
    ) {
      ended.set(event.toolCallId, event);
    }
  }
  return entries.flatMap(({ event, assistantMessage }) => {
    if (event.type !== "model.responded" || event.turn >= fromTurn) return [];
    const calls = (requested.get(event.turn) ?? []).map((call) => {
      const end = ended.get(call.toolCallId);
      if (end === undefined) throw new Error("expected every call of an earlier model turn to have ended");
      // The outcome is that of the arguments that were sent, and of the capability that served the call last.
      const served = (moved.get(call.toolCallId) ?? []).reduce(servedBy, call);
      return { requested: { ...served, parameters: edited.get(call.toolCallId) ?? call.parameters }, ended: end };
    });
    return [{ responded: event, calls, ...defined({ message: assistantMessage }) }];
  });
}
