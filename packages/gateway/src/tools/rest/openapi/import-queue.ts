import { YagateError } from "@yagate/protocol";

/** What may wait for its turn. */
export interface ImportQueueLimits {
  readonly maxWaiting: number;
  /** Of all documents that wait. */
  readonly maxWaitingCharacters: number;
  readonly maxWaitMs: number;
}

/** Runs imports one after the other: each may take as much memory as the rest of the process. */
export interface ImportQueue {
  /**
   * @param characters - of the document.
   * @throws YagateError `UNAVAILABLE` when too much waits already, or when the turn does not come in time.
   */
  run<T>(characters: number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly characters: number;
  readonly begin: () => void;
}

export function createImportQueue({ maxWaiting, maxWaitingCharacters, maxWaitMs }: ImportQueueLimits): ImportQueue {
  const waiting = new Set<Waiting>();
  let isRunning = false;
  let waitingCharacters = 0;

  function leave(one: Waiting): void {
    if (waiting.delete(one)) waitingCharacters -= one.characters;
  }

  async function turn(characters: number): Promise<void> {
    if (!isRunning) {
      isRunning = true;
      return;
    }
    if (waiting.size >= maxWaiting || waitingCharacters + characters > maxWaitingCharacters) {
      throw busy("too many OpenAPI documents wait to be imported already");
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { characters, begin: resolve };
    waiting.add(one);
    waitingCharacters += characters;
    const timer = setTimeout(() => {
      leave(one);
      reject(busy("other OpenAPI documents were imported all the time"));
    }, maxWaitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  function pass(): void {
    const [next] = waiting;
    if (next === undefined) {
      isRunning = false;
      return;
    }
    leave(next);
    next.begin();
  }

  return {
    async run(characters, work) {
      await turn(characters);
      try {
        return await work();
      } finally {
        pass();
      }
    },
  };
}

function busy(message: string): YagateError {
  return new YagateError("UNAVAILABLE", message, { hint: "import the document again in a minute" });
}
