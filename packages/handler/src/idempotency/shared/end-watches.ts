import { pause } from "../../pause.ts";
import type { CallOutcome } from "../store.ts";
import type { Sight } from "./entry-table.ts";

/**
 * The pause before the second poll. It is short, so that the end of a quick run is noticed soon; for a long run, the
 * pauses grow.
 */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;
const PAUSE_GROWTH = 1.5;

interface Watch {
  readonly ended: Promise<CallOutcome | undefined>;
  /** Ends the watch with an outcome that is known in this process. */
  readonly tell: (outcome: CallOutcome | undefined) => void;
  waiting: number;
}

/**
 * Waits for runs to end, in this process or in another one. However many waiters a call has, only one of them polls the
 * entry. The end of a run in this process is noticed immediately.
 */
export class EndWatches {
  readonly #look: (key: string) => Promise<Sight>;
  readonly #watches = new Map<string, Watch>();

  constructor(look: (key: string) => Promise<Sight>) {
    this.#look = look;
  }

  /**
   * Resolves with the outcome of the run. Resolves with undefined if the claim lapsed, the outcome is unknown or the
   * signal was aborted.
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
        // Waiters that arrive from now on start their own poll.
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
