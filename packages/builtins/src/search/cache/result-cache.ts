import { LRUCache } from "lru-cache";

/** A cached value and the time at which it was stored. */
export interface Aged<Value> {
  readonly value: Value;
  /** ms since the epoch. */
  readonly at: number;
}

/** Caches values for a limited time in this process. The least recently used values are evicted. */
export interface AgedCache<Value> {
  /** Returns a value, or `undefined` if it is missing or older than `maxAgeMs`. */
  get(key: string, maxAgeMs: number): Aged<Value> | undefined;
  set(key: string, value: Value): void;
}

/** Limits of an {@link AgedCache}. */
interface AgedCacheOptions<Value> {
  readonly maxEntries: number;
  readonly maxCharacters: number;
  readonly charactersOf: (value: Value) => number;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

export function createAgedCache<Value>(options: AgedCacheOptions<Value>): AgedCache<Value> {
  const { maxEntries, maxCharacters, charactersOf, now } = options;
  const kept = new LRUCache<string, Aged<Value>>({
    max: maxEntries,
    maxSize: maxCharacters,
    sizeCalculation: ({ value }, key) => Math.max(1, charactersOf(value) + key.length),
  });

  return {
    get(key, maxAgeMs) {
      const entry = kept.peek(key);
      // If the clock is set back, entries must not become younger.
      if (entry === undefined || Math.abs(now() - entry.at) >= maxAgeMs) return undefined;
      return kept.get(key);
    },
    set(key, value) {
      kept.set(key, { value, at: now() });
    },
  };
}

/** Runs concurrent identical jobs only once. */
interface SingleFlight<Value> {
  /**
   * Joins the job with this key, or starts it. The job is aborted when all callers that share it have cancelled.
   *
   * @returns `isJoined`: whether another caller had already started the job.
   */
  run(
    key: string,
    signal: AbortSignal,
    begin: (signal: AbortSignal) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly isJoined: boolean }>;
}

interface Flight<Value> {
  readonly work: Promise<Value>;
  readonly controller: AbortController;
  waiting: number;
}

export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Flight<Value>>();

  function take(key: string, begin: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const known = flights.get(key);
    if (known !== undefined) return known;
    const controller = new AbortController();
    const flight = { work: begin(controller.signal), controller, waiting: 0 };
    flights.set(key, flight);
    const end = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.work.then(end, end);
    return flight;
  }

  return {
    async run(key, signal, begin) {
      signal.throwIfAborted();
      const isJoined = flights.has(key);
      const flight = take(key, begin);
      flight.waiting += 1;
      let leave: (() => void) | undefined;
      const left = new Promise<never>((_resolve, reject) => {
        leave = () => reject(signal.reason);
        signal.addEventListener("abort", leave, { once: true });
      });
      try {
        return { value: await Promise.race([flight.work, left]), isJoined };
      } finally {
        if (leave !== undefined) signal.removeEventListener("abort", leave);
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          // Later callers must not join a job that is being aborted.
          if (flights.get(key) === flight) flights.delete(key);
          flight.controller.abort();
        }
      }
    },
  };
}
