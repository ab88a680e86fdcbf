import { IsolationError } from "./isolation-error.ts";

/** What may run and wait for its turn. */
export interface TurnQueueLimits {
  /** Jobs that run at the same time; default 1. */
  readonly maxRunning?: number;
  readonly maxWaiting: number;
  /** Of the texts of all jobs that wait. */
  readonly maxWaitingCharacters: number;
  readonly maxWaitMs: number;
}

/** Lets few jobs run at a time, the others in the order in which they came. */
export interface TurnQueue {
  /**
   * @param characters - of what the job holds on to while it waits.
   * @throws IsolationError `busy` when too much waits already, or when the turn does not come in time; `aborted`.
   */
  run<T>(characters: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiting {
  readonly characters: number;
  readonly begin: () => void;
}

export function createTurnQueue(limits: TurnQueueLimits): TurnQueue {
  const { maxRunning = 1, maxWaiting, maxWaitingCharacters, maxWaitMs } = limits;
  const waiting = new Set<Waiting>();
  let running = 0;
  let waitingCharacters = 0;

  function leave(one: Waiting): void {
    if (waiting.delete(one)) waitingCharacters -= one.characters;
  }

  async function turn(characters: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) throw aborted();
    if (running < maxRunning) {
      running += 1;
      return;
    }
    if (waiting.size >= maxWaiting || waitingCharacters + characters > maxWaitingCharacters) {
      throw new IsolationError("busy", "too many others wait already");
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { characters, begin: resolve };
    waiting.add(one);
    waitingCharacters += characters;
    const giveUp = (error: IsolationError) => {
      leave(one);
      reject(error);
    };
    const cancel = () => giveUp(aborted());
    signal?.addEventListener("abort", cancel, { once: true });
    const timer = setTimeout(() => giveUp(new IsolationError("busy", "others were running all the time")), maxWaitMs);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    });
  }

  function pass(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    leave(next);
    next.begin();
  }

  return {
    async run(characters, work, signal) {
      await turn(characters, signal);
      try {
        return await work();
      } finally {
        pass();
      }
    },
  };
}

function aborted(): IsolationError {
  return new IsolationError("aborted", "nobody waits for it any more");
}
