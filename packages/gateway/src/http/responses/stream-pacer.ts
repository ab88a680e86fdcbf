import { ReaderQueue, type ReadSubject } from "../../executions/streams/read-slots.ts";

/** Maximum bytes that all streams together write in one iteration of the event loop. */
const BYTES_PER_ITERATION = 2_097_152;
/** Minimum cost of writing an event, in bytes. */
const MIN_COST_BYTES = 16_384;

/** Limits the bytes that streams write per iteration of the event loop. Workspaces and their executions take turns. */
export class StreamPacer {
  readonly #waiting = new ReaderQueue<{ readonly cost: number; readonly resolve: () => void }>();
  #left = BYTES_PER_ITERATION;
  #nextIteration: NodeJS.Immediate | undefined;

  /**
   * Charges the cost of an event.
   * @returns undefined if the stream may write immediately; otherwise a promise that resolves when it may write or
   *   `signal` is aborted.
   */
  wait(subject: ReadSubject, bytes: number, signal: AbortSignal): Promise<void> | undefined {
    const cost = Math.max(bytes, MIN_COST_BYTES);
    if (signal.aborted) return undefined;
    this.#nextIteration ??= setImmediate(() => this.#beginIteration());
    if (this.#left > 0 && this.#waiting.isEmpty) {
      this.#left -= cost;
      return undefined;
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting.delete(subject, waiter);
        resolve();
      };
      const waiter = {
        cost,
        resolve() {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(subject, waiter);
    });
  }

  #beginIteration(): void {
    this.#nextIteration = undefined;
    this.#left = BYTES_PER_ITERATION;
    while (this.#left > 0) {
      const waiter = this.#waiting.take();
      if (waiter === undefined) return;
      this.#left -= waiter.cost;
      waiter.resolve();
    }
    this.#nextIteration = setImmediate(() => this.#beginIteration());
  }
}
