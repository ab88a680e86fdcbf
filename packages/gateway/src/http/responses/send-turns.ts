import { ReaderQueue, type ReadSubject } from "../../executions/streams/reader-queue.ts";

/** Bytes that all streams together hand to their connections in one turn of the event loop. */
const TURN_BYTES = 2_097_152;
/** What writing an event costs at least, however short it is. */
const MIN_COST_BYTES = 16_384;

/** Lets streams write a bounded amount in each turn of the event loop; executions and workspaces take turns. */
export class SendTurns {
  readonly #waiting = new ReaderQueue<{ readonly cost: number; readonly resolve: () => void }>();
  #left = TURN_BYTES;
  #nextTurn: NodeJS.Immediate | undefined;

  /** @returns undefined: at once; otherwise what resolves when it is its turn, or when `signal` is aborted. */
  wait(subject: ReadSubject, bytes: number, signal: AbortSignal): Promise<void> | undefined {
    const cost = Math.max(bytes, MIN_COST_BYTES);
    if (signal.aborted) return undefined;
    this.#nextTurn ??= setImmediate(() => this.#beginTurn());
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

  #beginTurn(): void {
    this.#nextTurn = undefined;
    this.#left = TURN_BYTES;
    while (this.#left > 0) {
      const waiter = this.#waiting.take();
      if (waiter === undefined) return;
      this.#left -= waiter.cost;
      waiter.resolve();
    }
    this.#nextTurn = setImmediate(() => this.#beginTurn());
  }
}
