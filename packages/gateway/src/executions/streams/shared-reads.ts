import type { ReadSlots } from "./read-slots.ts";
import type { ReadSubject } from "./reader-queue.ts";

/** A read that has not started yet, and the number of readers that wait for it. */
interface QueuedRead<Result> {
  readonly result: Promise<Result>;
  readonly withdraw: () => void;
  readers: number;
}

/**
 * Reads once for all readers that request the same data before the read starts. Each reader gets at least what was
 * committed when it made its request. A read is dropped if all of its readers leave before it starts.
 */
export class SharedReads<Result> {
  readonly #slots: ReadSlots;
  readonly #queued = new Map<string, QueuedRead<Result>>();

  constructor(slots: ReadSlots) {
    this.#slots = slots;
  }

  /** Resolves to the result, or to undefined as soon as `signal` is aborted, if there is no result by then. */
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
