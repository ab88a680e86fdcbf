/** What work listens to for its cancellation. An `AbortSignal` is one. */
export interface CancelSignal {
  /** Whether the work was cancelled. */
  readonly aborted: boolean;
  /** Why it was cancelled. */
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * Cancels work at most once. It takes the place of an `AbortController` for work that starts often and is seldom
 * cancelled: creating one and listening to it costs a fraction. Its listeners must not throw.
 */
export class Cancellation {
  readonly #signal = new ListenedSignal();

  get signal(): CancelSignal {
    return this.#signal;
  }

  /** Cancels the work. Each listener is called once. */
  abort(reason: Error): void {
    this.#signal.abort(reason);
  }
}

class ListenedSignal implements CancelSignal {
  aborted = false;
  reason: Error | undefined;
  readonly #listeners = new Set<() => void>();

  /** Adds a listener. As with an `AbortSignal`, one that is added after the cancellation is never called. */
  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.aborted) this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/** Returns a signal for APIs that accept only an `AbortSignal`. */
export function toAbortSignal(signal: CancelSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  return controller.signal;
}
