import { ReaderQueue, type ReadSubject } from "./reader-queue.ts";

/** A database elsewhere answers while another read is being prepared. */
const DEFAULT_MAX_AT_ONCE = 2;
/** Time of one turn of the event loop after which no further read begins in it. */
const TURN_MS = 5;

/**
 * Begins the large reads of a gateway: a few at once, and few in one turn of the event loop, since the embedded store
 * reads on the event loop and every store's rows are parsed there. Executions and workspaces take turns.
 */
export class ReadSlots {
  readonly #maxAtOnce: number;
  readonly #waiting = new ReaderQueue<() => Promise<void>>();
  #running = 0;
  #spentMs = 0;
  #nextTurn: NodeJS.Immediate | undefined;

  /** @param maxAtOnce - reads that are under way at once; default 2. */
  constructor(maxAtOnce = DEFAULT_MAX_AT_ONCE) {
    this.#maxAtOnce = maxAtOnce;
  }

  /**
   * Calls `begin` when it is its turn, maybe at once. It must not reject.
   *
   * @returns what withdraws it; without effect once it has begun.
   */
  add(subject: ReadSubject, begin: () => Promise<void>): () => void {
    this.#waiting.add(subject, begin);
    this.#begin();
    return () => this.#waiting.delete(subject, begin);
  }

  /** Work on what was read: its time counts in this turn of the event loop. */
  measure<Result>(work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#spentMs += performance.now() - startedAt;
      this.#nextTurn ??= setImmediate(() => {
        this.#nextTurn = undefined;
        this.#spentMs = 0;
        this.#begin();
      });
    }
  }

  #begin(): void {
    while (this.#running < this.#maxAtOnce && this.#spentMs < TURN_MS) {
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
