import type { StreamEvent } from "@yagate/protocol";
import type { Runtime } from "../runtime.ts";
import { type OnWaiting, type Waiting, WaitingState } from "./waiting.ts";

/**
 * A wait is reported only if no event follows it for this long. A stream that starts late also delivers past waits,
 * each immediately followed by the event that ended it; those are not reported.
 */
const REPORT_AFTER_MS = 100;

/** Calls `onWaiting` once for each wait of an execution. */
export class WaitingReporter {
  readonly #state = new WaitingState();
  readonly #runtime: Runtime;
  readonly #onWaiting: OnWaiting | undefined;
  readonly #onError: (error: unknown) => void;
  #cancelReport: (() => void) | undefined;

  /** @param onError - called with the error that `onWaiting` throws or rejects with. */
  constructor(runtime: Runtime, onWaiting: OnWaiting | undefined, onError: (error: unknown) => void) {
    this.#runtime = runtime;
    this.#onWaiting = onWaiting;
    this.#onError = onError;
  }

  get current(): Waiting | undefined {
    return this.#state.current;
  }

  take(event: StreamEvent): void {
    this.#state.take(event);
    const isUnreported = event.type === "execution.waiting" || this.#cancelReport !== undefined;
    this.stop();
    if (this.#onWaiting === undefined || !isUnreported || this.current === undefined) return;
    this.#cancelReport = this.#runtime.after(REPORT_AFTER_MS, () => void this.#report());
  }

  /** Stops reporting until the next event is taken. */
  stop(): void {
    this.#cancelReport?.();
    this.#cancelReport = undefined;
  }

  async #report(): Promise<void> {
    this.#cancelReport = undefined;
    const { current } = this;
    try {
      if (current !== undefined) await this.#onWaiting?.(current);
    } catch (error) {
      this.#onError(error);
    }
  }
}
