import { pause } from "../../pause.ts";
import type { CallOutcome } from "../store.ts";
import type { Sight } from "./entry-table.ts";

/** Short, so that the end of a quick run is noticed soon; a long run costs few polls. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;
const PAUSE_GROWTH = 1.5;

interface Watch {
  readonly ended: Promise<CallOutcome | undefined>;
  /** Ends the watch with an outcome that this process knows. */
  readonly tell: (outcome: CallOutcome | undefined) => void;
  waiting: number;
}

/**
 * Waits for runs to end, in this process or in another. For each call, one waiter polls the entry, however many wait;
 * ends in this process are noticed at once.
 */
export class EndWatches {
  readonly #look: (key: string) => Promise<Sight>;
  readonly #watches = new Map<string, Watch>();

  constructor(look: (key: string) => Promise<Sight>) {
    this.#look = look;
  }

  /**
   * Resolves with the outcome of the run that ended, or with nothing if it lapsed, is unknown, or the signal aborts.
   */
  async wait(key: string, signal: AbortSignal): Promise<CallOutcome | undefined> {
    if (signal.aborted) return undefined;
    const watch = this.#watches.get(key) ?? this.#begin(key);
    watch.waiting += 1;
    let stop = () => {};
    const aborted = new Promise<undefined>((resolve) => {
      stop = () => resolve(undefined);
      signal.addEventListener("abort", stop);
    });
    try {
      return await Promise.race([watch.ended, aborted]);
    } finally {
      signal.removeEventListener("abort", stop);
      watch.waiting -= 1;
      if (watch.waiting === 0) watch.tell(undefined);
    }
  }

  /** Reports the end of a run in this process to its waiters. */
  tell(key: string, outcome: CallOutcome): void {
    this.#watches.get(key)?.tell(outcome);
  }

  #begin(key: string): Watch {
    const over = new AbortController();
    let tell: Watch["tell"] = () => {};
    const ended = new Promise<CallOutcome | undefined>((resolve, reject) => {
      tell = (outcome) => {
        over.abort();
        // Later waiters poll for themselves.
        if (this.#watches.get(key) === watch) this.#watches.delete(key);
        resolve(outcome);
      };
      this.#watch(key, over.signal).then((outcome) => watch.tell(outcome), reject);
    });
    const watch: Watch = { ended, tell, waiting: 0 };
    this.#watches.set(key, watch);
    return watch;
  }

  async #watch(key: string, signal: AbortSignal): Promise<CallOutcome | undefined> {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(PAUSE_GROWTH * pauseMs, MAX_PAUSE_MS)) {
      const sight = await this.#look(key);
      if (sight.state === "ended") return sight.outcome;
      await pause(Math.min(pauseMs, Math.max(1, sight.lapsesInMs)), signal);
    }
    return undefined;
  }
}
