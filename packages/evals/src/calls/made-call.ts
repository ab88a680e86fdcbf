import type { ExecutionResult, StreamEvent } from "@yagate/client";

/** A tool call of an execution, whether one of the agent's tools or the model provider ran it. */
export interface MadeCall {
  readonly name: string;
  readonly parameters: unknown;
  readonly turn: number;
  /** Such as `completed`, `failed` or `denied`. */
  readonly status: string;
  readonly errorCode?: string | undefined;
  /** Number of attempts; more than one means that the gateway retried the call. */
  readonly attempts: number;
  readonly result?: unknown;
}

/** Returns the calls of an execution in the order in which the model requested them. */
export function madeCalls(execution: ExecutionResult, events: readonly StreamEvent[]): readonly MadeCall[] {
  const own = execution.toolCalls.map(({ name, parameters, turn, status, error, attempts, result }) => ({
    ...{ name, parameters, turn, status, errorCode: error?.code, attempts: attempts.length, result },
  }));
  const hosted = events.flatMap((event) => {
    if (event.type !== "model.responded" || event.hostedCalls === undefined) return [];
    const { turn } = event;
    return event.hostedCalls.map(({ name, input, status, output }) => ({
      ...{ name, parameters: input, turn, status, attempts: 1, result: output },
    }));
  });
  // The sort is stable. A provider runs its tools before it returns the calls of the agent's tools.
  return [...hosted, ...own].toSorted((one, other) => one.turn - other.turn);
}
