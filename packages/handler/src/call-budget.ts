import type { ToolCall } from "@yagate/protocol";

/** The longest delay that timers accept; longer ones fire immediately. */
const MAX_DELAY_MS = 2_147_483_647;

/**
 * The time limit of one attempt: `deadline - timestamp`, measured from arrival on a monotonic clock. Neither value is
 * compared with the local time, so a wrong clock changes nothing.
 */
export class CallBudget {
  readonly #endsAtMs: number;

  /** @param arrivedAtMs - `performance.now()` at the arrival of the call. */
  constructor(call: ToolCall, arrivedAtMs: number) {
    this.#endsAtMs = arrivedAtMs + Date.parse(call.deadline) - Date.parse(call.timestamp);
  }

  /** Milliseconds left; 0 when the time is over. */
  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now());
  }

  /** Calls `callback` when the time is over. Returns a function that cancels it. */
  onEnd(callback: () => void): () => void {
    const timer = setTimeout(callback, Math.min(this.remainingMs(), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  }
}
