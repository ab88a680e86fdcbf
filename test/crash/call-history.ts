import type { ReceivedEvent } from "@yagate/protocol";
import type { Arrival } from "./counting-service.ts";

type EventOf<Type extends ReceivedEvent["type"]> = Extract<ReceivedEvent, { type: Type }>;

/** One attempt as the journal tells it, and how often its request arrived. */
export interface AttemptHistory {
  readonly number: number;
  readonly end: EventOf<"attempt.finished"> | undefined;
  readonly arrivals: number;
}

/** One tool call as the journal tells it, beside what its service saw. */
export interface CallHistory {
  readonly id: string;
  readonly name: string;
  readonly attempts: readonly AttemptHistory[];
  /** Events that end it; a call must have one. */
  readonly ends: readonly (
    | EventOf<"tool_call.completed">
    | EventOf<"tool_call.failed">
    | EventOf<"tool_call.denied">
  )[];
  readonly isLastEventItsEnd: boolean;
  readonly arrivals: readonly Arrival[];
  /** How often the tool's function returned a result. */
  readonly results: number;
}

/** The calls of one execution's log. */
export function callHistories(
  events: readonly ReceivedEvent[],
  seen: { readonly arrivals: readonly Arrival[]; readonly results: ReadonlyMap<string, number> },
): readonly CallHistory[] {
  return events.filter(isOf("tool_call.requested")).map(({ toolCallId, name }) => {
    const own = events.filter((event) => "toolCallId" in event && event.toolCallId === toolCallId);
    const arrivals = seen.arrivals.filter((arrival) => arrival.toolCallId === toolCallId);
    const finished = own.filter(isOf("attempt.finished"));
    const ends = own.filter(isEnd);
    return {
      id: toolCallId,
      name,
      attempts: own.filter(isOf("attempt.started")).map(({ number, attemptId }) => ({
        number,
        end: finished.find((event) => event.attemptId === attemptId),
        arrivals: arrivals.filter((arrival) => arrival.attempt === number).length,
      })),
      ends,
      isLastEventItsEnd: own.at(-1) === ends.at(-1),
      arrivals,
      results: seen.results.get(toolCallId) ?? 0,
    };
  });
}

export function isInterrupted({ end }: AttemptHistory): boolean {
  return end?.isInterruption === true;
}

export function wasInterrupted({ attempts }: CallHistory): boolean {
  return attempts.some(isInterrupted);
}

/** One line for a reader who must find out what went wrong. */
export function describeCall({ id, name, attempts, ends, arrivals, results }: CallHistory): string {
  const told = attempts.map(
    (attempt) => `${attempt.number} ${attempt.end?.errorCode ?? (attempt.end && "ok") ?? "open"}`,
  );
  const seen = arrivals.map(({ attempt, at }) => `${attempt} at ${new Date(at).toISOString()}`);
  const end = ends.map(({ type, at }) => `${type} at ${at}`);
  return `${name} ${id} (attempts: ${told}; arrived: ${seen}; results: ${results}; end: ${end})`;
}

function isEnd(event: ReceivedEvent): event is CallHistory["ends"][number] {
  if (event.type === "tool_call.failed") return event.fallbackUntil === undefined;
  return event.type === "tool_call.completed" || event.type === "tool_call.denied";
}

export function isOf<Type extends ReceivedEvent["type"]>(type: Type) {
  return (event: ReceivedEvent): event is EventOf<Type> => event.type === type;
}
