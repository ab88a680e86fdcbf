import type { StreamEvent } from "@yagate/protocol";
import type { Runtime } from "../runtime.ts";
import { type OnWaiting, type Waiting, WaitingState } from "./waiting.ts";

/**
 * A stream that begins late gives the waits of the past as well. What ended them comes right behind, so a wait is
 * reported once nothing has come for so long.
 */
const REPORT_AFTER_MS = 100;

/** Tells that an execution waits, once for each wait. */
export class WaitingReporter {
  readonly #state = new WaitingState();
  readonly #runtime: Runtime;
  readonly #onWaiting: OnWaiting | undefined;
  readonly #onError: (error: unknown) => void;
  #cancelReport: (() => void) | undefined;

  /** @param onError - gets what `onWaiting` throws or rejects with. */
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

  /** Reports nothing more, until another event is taken. */
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
