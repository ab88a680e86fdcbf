import type { ToolCall } from "@yagate/protocol/calls";

/** The longest delay that timers accept; longer ones fire immediately. */
const MAX_DELAY_MS = 2_147_483_647;

/**
 * The time limit of one attempt: `deadline - timestamp`, measured from the call's arrival on a monotonic clock. Neither
 * value is compared with the local time, so a wrong clock has no effect.
 */
export class CallBudget {
  readonly #endsAtMs: number;

  /** @param arrivedAtMs - `performance.now()` when the call arrived. */
  constructor(call: ToolCall, arrivedAtMs: number) {
    this.#endsAtMs = arrivedAtMs + Date.parse(call.deadline) - Date.parse(call.timestamp);
  }

  /** Returns the milliseconds that are left; 0 after the deadline. */
  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now());
  }

  /** Calls `callback` at the deadline, unless the returned function is called first. */
  onEnd(callback: () => void): () => void {
    const timer = setTimeout(callback, Math.min(this.remainingMs(), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  }
}
