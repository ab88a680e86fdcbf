import type { ReadSlots } from "./read-slots.ts";
import type { ReadSubject } from "./reader-queue.ts";

/** A read that has not begun, and how many readers wait for it. */
interface QueuedRead<Result> {
  readonly result: Promise<Result>;
  readonly withdraw: () => void;
  readers: number;
}

/**
 * Reads once for all readers that ask for the same thing before the read begins: each gets what was committed when it
 * asked. A read that all readers have left before it began never happens.
 */
export class SharedReads<Result> {
  readonly #slots: ReadSlots;
  readonly #queued = new Map<string, QueuedRead<Result>>();

  constructor(slots: ReadSlots) {
    this.#slots = slots;
  }

  /** @returns undefined, at once, when `signal` is aborted before there is a result. */
  read(
    subject: ReadSubject,
    key: string,
    work: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const queued = this.#queued.get(key) ?? this.#queue(subject, key, work);
    queued.readers += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        queued.readers -= 1;
        if (queued.readers === 0) queued.withdraw();
        resolve(undefined);
      };
      signal.addEventListener("abort", leave, { once: true });
      const stay = () => signal.removeEventListener("abort", leave);
      queued.result.then(resolve, reject).finally(stay);
    });
  }

  #queue(subject: ReadSubject, key: string, work: () => Promise<Result>): QueuedRead<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let leaveSlots = () => {};
    const leaveQueue = () => {
      if (this.#queued.get(key) === queued) this.#queued.delete(key);
    };
    const queued: QueuedRead<Result> = {
      result: promise,
      readers: 0,
      withdraw() {
        leaveQueue();
        leaveSlots();
      },
    };
    this.#queued.set(key, queued);
    leaveSlots = this.#slots.add(subject, async () => {
      leaveQueue();
      await work().then(resolve, reject);
    });
    return queued;
  }
}
