import type { ExecutionConfig } from "../../src/execution-config.ts";
import { type ExecutionState, isClosed, remainingWallMs } from "../../src/state.ts";
import { mayNotMeet } from "../laws/order-laws.ts";

/** When something must be done at the latest, without any report. */
export function momentsOf(state: ExecutionState, config: ExecutionConfig, now: number): readonly number[] {
  const isClosing = state.isCancelRequested || state.limitReached !== null;
  const turn = state.turns.at(-1);
  const calls = (turn?.calls ?? []).filter((call) => !isClosed(call));
  return [
    state.status === "running" && !isClosing ? now + remainingWallMs(state, now) : null,
    turn?.phase === "retrying" ? turn.retryAt : null,
    ...calls.flatMap(({ id, name, status, retryAt, fallbackUntil, callbackUntil, approval, input }) => [
      // Its turn comes with the end of another, whenever that is.
      calls.some((other) => other.id !== id && mayNotMeet(name, other.name, config)) ? null : retryAt,
      fallbackUntil,
      status === "waiting_callback" ? callbackUntil : null,
      approval?.status === "pending" ? approval.expiresAt : null,
      input?.status === "pending" ? input.expiresAt : null,
    ]),
  ].filter((moment) => moment !== null);
}
