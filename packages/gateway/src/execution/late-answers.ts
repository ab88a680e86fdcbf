import type { ExecutionJournal } from "../journal/port.ts";
import type { MachineInput } from "./machine/inputs.ts";
import type { AttemptState, ExecutionState } from "./machine/state.ts";

/** Word of an answer that came after its attempt had been given up. */
export type LateInput = Extract<MachineInput, { type: "attempt_late" }>;

const attemptsOf = (state: ExecutionState) =>
  state.turns.flatMap(({ calls }) => calls).flatMap((call) => call.attempts);

/** Whether an event says it. */
export function isToldOf(state: ExecutionState, { attemptId }: LateInput): boolean {
  return attemptsOf(state).some(({ id, lateAnswer }) => id === attemptId && lateAnswer !== undefined);
}

/** Keeps it with the attempt's messages: no event follows the last one of an execution. */
export function keepLateAnswer(
  journal: Pick<ExecutionJournal, "addLateAnswer">,
  { attemptId, httpStatus, elapsedMs, responseBytes }: LateInput,
  now: number,
): Promise<void> {
  return journal.addLateAnswer(attemptId, { at: new Date(now).toISOString(), httpStatus, elapsedMs, responseBytes });
}

/** The state with what came after its end, for whoever reads the record. */
export async function withLateAnswers(
  state: ExecutionState,
  journal: Pick<ExecutionJournal, "lateAnswers">,
): Promise<ExecutionState> {
  if (state.finishedAt === null) return state;
  const candidates = attemptsOf(state).filter(isGivenUp);
  if (candidates.length === 0) return state;
  const found = await journal.lateAnswers(candidates.map(({ id }) => id));
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
