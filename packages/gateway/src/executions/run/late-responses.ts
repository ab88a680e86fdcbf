import { toTimestamp } from "@yagate/execution-machine/event-log";
import type { MachineInput } from "@yagate/execution-machine/inputs";
import type { AttemptState, ExecutionState } from "@yagate/execution-machine/state";
import type { EventStore } from "@yagate/store/port";
import { createCommands } from "../service/commands.ts";

/** A response that arrived after its attempt had timed out. */
export type LateInput = Extract<MachineInput, { type: "attempt_late" }>;

export interface LateResponsesOptions {
  readonly executionId: string;
  readonly eventStore: Pick<EventStore, "entryPage" | "append" | "addLateResponse">;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const attemptsOf = (state: ExecutionState) =>
  state.turns.flatMap(({ calls }) => calls).flatMap((call) => call.attempts);

/** Returns whether an event records the late response. */
function isRecorded(state: ExecutionState, { attemptId }: LateInput): boolean {
  return attemptsOf(state).some(({ id, lateAnswer }) => id === attemptId && lateAnswer !== undefined);
}

/** Stores late responses that the run's own appends do not record. */
export class LateResponses {
  readonly #options: LateResponsesOptions;
  readonly #taken: LateInput[] = [];

  constructor(options: LateResponsesOptions) {
    this.#options = options;
  }

  /** Notes a late response that the run may still record with an event. */
  take(late: LateInput): void {
    this.#taken.push(late);
  }

  /** Stores the noted late responses that the last append of the run did not record. */
  keepUnrecorded(state: ExecutionState): void {
    for (const late of this.#taken) if (!isRecorded(state, late)) this.keep(late);
  }

  /**
   * Stores a late response after the run is over: as an event, or together with the attempt's messages if the execution
   * has ended.
   */
  keep(late: LateInput): void {
    this.#keep(late).catch(this.#options.onError);
  }

  async #keep(late: LateInput): Promise<void> {
    const { executionId, eventStore, now } = this.#options;
    const { events, state } = await createCommands({ eventStore, now }).apply(executionId, late);
    if (events.length > 0 || isRecorded(state, late)) return;
    const { attemptId, httpStatus, elapsedMs, responseBytes } = late;
    await eventStore.addLateResponse(attemptId, { at: toTimestamp(now()), httpStatus, elapsedMs, responseBytes });
  }
}

/** Adds the responses that arrived after the end of an execution to its state, for readers of the record. */
export async function withLateResponses(
  state: ExecutionState,
  eventStore: Pick<EventStore, "lateResponses">,
): Promise<ExecutionState> {
  if (state.finishedAt === null) return state;
  const candidates = attemptsOf(state).filter(isAbandoned);
  if (candidates.length === 0) return state;
  const found = await eventStore.lateResponses(candidates.map(({ id }) => id));
  if (found.size === 0) return state;
  const withLate = (attempt: AttemptState): AttemptState => {
    const lateAnswer = found.get(attempt.id);
    return lateAnswer === undefined ? attempt : { ...attempt, lateAnswer };
  };
  const turns = state.turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((call) => ({ ...call, attempts: call.attempts.map(withLate) })),
  }));
  return { ...state, turns };
}

function isAbandoned({ errorCode, lateAnswer }: AttemptState): boolean {
  return errorCode === "TIMEOUT" && lateAnswer === undefined;
}
