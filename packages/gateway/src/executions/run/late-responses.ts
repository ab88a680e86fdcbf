import type { EventStore } from "@yagate/store/port";
import { toTimestamp } from "../machine/event-log.ts";
import type { MachineInput } from "../machine/inputs.ts";
import type { AttemptState, ExecutionState } from "../machine/state.ts";
import { createCommands } from "../service/commands.ts";

/** Word of an answer that came after its attempt had been given up. */
export type LateInput = Extract<MachineInput, { type: "attempt_late" }>;

export interface LateResponsesOptions {
  readonly executionId: string;
  readonly eventStore: Pick<EventStore, "entryPage" | "append" | "addLateResponse">;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const attemptsOf = (state: ExecutionState) =>
  state.turns.flatMap(({ calls }) => calls).flatMap((call) => call.attempts);

/** Whether an event says it. */
function isRecorded(state: ExecutionState, { attemptId }: LateInput): boolean {
  return attemptsOf(state).some(({ id, lateAnswer }) => id === attemptId && lateAnswer !== undefined);
}

/** What one run heard of late answers, and what becomes of that which its own appends do not say. */
export class LateResponses {
  readonly #options: LateResponsesOptions;
  readonly #taken: LateInput[] = [];

  constructor(options: LateResponsesOptions) {
    this.#options = options;
  }

  /** While the run can still say it by an event of its own. */
  take(late: LateInput): void {
    this.#taken.push(late);
  }

  /** The run is over, and its last append may not have said all. */
  keepUnrecorded(state: ExecutionState): void {
    for (const late of this.#taken) if (!isRecorded(state, late)) this.keep(late);
  }

  /**
   * After the run is over. Whoever advances the execution now, or will, is told by an event; one that has ended gets none,
   * and the word stays with the attempt's messages.
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

/** The state with what came after its end, for whoever reads the record. */
export async function withLateResponses(
  state: ExecutionState,
  eventStore: Pick<EventStore, "lateResponses">,
): Promise<ExecutionState> {
  if (state.finishedAt === null) return state;
  const candidates = attemptsOf(state).filter(isGivenUp);
  if (candidates.length === 0) return state;
  const found = await eventStore.lateResponses(candidates.map(({ id }) => id));
  if (found.size === 0) return state;
  const toShown = (attempt: AttemptState): AttemptState => {
    const lateAnswer = found.get(attempt.id);
    return lateAnswer === undefined ? attempt : { ...attempt, lateAnswer };
  };
  const turns = state.turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((call) => ({ ...call, attempts: call.attempts.map(toShown) })),
  }));
  return { ...state, turns };
}

function isGivenUp({ errorCode, lateAnswer }: AttemptState): boolean {
  return errorCode === "TIMEOUT" && lateAnswer === undefined;
}
