import type { ToolCall } from "@yagate/protocol";

/** The longest delay that timers take; longer ones fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

/**
 * The time that one attempt has: `deadline - timestamp`, counted from arrival on a clock that nobody sets. Neither of
 * the two is ever compared with our own time, so a clock that runs wrong neither aborts at once nor never.
 */
export class CallBudget {
  readonly #endsAtMs: number;

  /** @param arrivedAtMs - `performance.now()` when the call arrived. */
  constructor(call: ToolCall, arrivedAtMs: number) {
    this.#endsAtMs = arrivedAtMs + Date.parse(call.deadline) - Date.parse(call.timestamp);
  }

  /** Milliseconds left, 0 when the time is over. */
  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now());
  }

  /** Calls back when the time is over. Returns the function that calls it off. */
  onEnd(callback: () => void): () => void {
    const timer = setTimeout(callback, Math.min(this.remainingMs(), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  }
}
