import { ReaderQueue, type ReadSubject } from "./reader-queue.ts";

/** Two: a remote database works on one read while another is prepared. */
const DEFAULT_MAX_AT_ONCE = 2;
/** Time per iteration of the event loop after which no further read starts in it. */
const ITERATION_MS = 5;

/**
 * Starts the large reads of a gateway: a few at once, and few per iteration of the event loop, where the embedded store
 * reads and the rows of every store are parsed. Executions and workspaces alternate.
 */
export class ReadSlots {
  readonly #maxAtOnce: number;
  readonly #waiting = new ReaderQueue<() => Promise<void>>();
  #running = 0;
  #spentMs = 0;
  #nextIteration: NodeJS.Immediate | undefined;

  /** @param maxAtOnce - reads that run at once; default 2. */
  constructor(maxAtOnce = DEFAULT_MAX_AT_ONCE) {
    this.#maxAtOnce = maxAtOnce;
  }

  /**
   * Calls `begin` when a slot is free, maybe at once. It must not reject.
   *
   * @returns a function that withdraws it; without effect once it has begun.
   */
  add(subject: ReadSubject, begin: () => Promise<void>): () => void {
    this.#waiting.add(subject, begin);
    this.#begin();
    return () => this.#waiting.delete(subject, begin);
  }

  /** Runs work on what was read, and counts its time in this iteration of the event loop. */
  measure<Result>(work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#spentMs += performance.now() - startedAt;
      this.#nextIteration ??= setImmediate(() => {
        this.#nextIteration = undefined;
        this.#spentMs = 0;
        this.#begin();
      });
    }
  }

  #begin(): void {
    while (this.#running < this.#maxAtOnce && this.#spentMs < ITERATION_MS) {
      const begin = this.#waiting.take();
      if (begin === undefined) return;
      this.#running += 1;
      this.measure(begin).finally(() => {
        this.#running -= 1;
        this.#begin();
      });
    }
  }
}
