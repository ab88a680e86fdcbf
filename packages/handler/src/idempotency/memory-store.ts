import { YagateError } from "@yagate/protocol/calls";
import { EndedCalls } from "./ended-calls.ts";
import type { CallOutcome, Claim, ClaimRequest, IdempotencyStore } from "./store.ts";
import { Waiters } from "./waiters.ts";

const DEFAULT_MAX_ENTRIES = 10_000;
const DEFAULT_MAX_CHARACTERS = 64 * 1024 * 1024;

/** Options for {@link createMemoryIdempotencyStore}. */
export interface MemoryIdempotencyStoreOptions {
  /** Maximum number of remembered calls. Default 10,000. */
  readonly maxEntries?: number | undefined;
  /** Maximum total length of the remembered responses, in UTF-16 code units. Default 64 Mi. */
  readonly maxCharacters?: number | undefined;
  /** The clock, in ms since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates a store in the memory of this process, for a service that runs as one process. Several processes behind one
 * URL need a shared store.
 *
 * When a limit is reached, the store forgets the calls that ended first. It never forgets a running call, even if that
 * exceeds the limit.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` for a limit that is not a positive integer.
 */
export function createMemoryIdempotencyStore(options: MemoryIdempotencyStoreOptions = {}): IdempotencyStore {
  const { maxEntries = DEFAULT_MAX_ENTRIES, maxCharacters = DEFAULT_MAX_CHARACTERS, now = Date.now } = options;
  for (const [name, limit] of Object.entries({ maxEntries, maxCharacters })) {
    if (Number.isSafeInteger(limit) && limit >= 1) continue;
    throw new YagateError("INVALID_REQUEST", `${name}: expected a whole number of at least 1`);
  }
  return new MemoryIdempotencyStore(maxEntries, maxCharacters, now);
}

interface RunningCall {
  readonly fingerprint: string;
  readonly holder: string;
  readonly keepForMs: number;
  readonly lapsesAtMs: number;
}

class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #maxEntries: number;
  readonly #maxCharacters: number;
  readonly #now: () => number;
  readonly #running = new Map<string, RunningCall>();
  readonly #ended = new EndedCalls();
  readonly #waiters = new Waiters();
  #claims = 0;

  constructor(maxEntries: number, maxCharacters: number, now: () => number) {
    this.#maxEntries = maxEntries;
    this.#maxCharacters = maxCharacters;
    this.#now = now;
  }

  async claim({ key, fingerprint, lapsesAfterMs, keepForMs }: ClaimRequest): Promise<Claim> {
    const nowMs = this.#now();
    this.#ended.forgetWhile(({ expiresAtMs }) => expiresAtMs <= nowMs);
    const running = this.#running.get(key);
    const ended = this.#ended.get(key);
    const known = running ?? ended;
    if (known !== undefined && known.fingerprint !== fingerprint) return { state: "conflict" };
    if (running !== undefined && nowMs < running.lapsesAtMs) return { state: "in_flight" };
    if (ended?.outcome !== undefined) return { state: "finished", outcome: ended.outcome };

    this.#claims += 1;
    const holder = String(this.#claims);
    this.#ended.remove(key);
    this.#running.set(key, { fingerprint, holder, keepForMs, lapsesAtMs: nowMs + lapsesAfterMs });
    this.#forgetOldest();
    return { state: "claimed", holder };
  }

  async complete(key: string, holder: string, outcome: CallOutcome): Promise<void> {
    this.#end(key, holder, outcome, outcome);
  }

  async release(key: string, holder: string, outcome: CallOutcome): Promise<void> {
    this.#end(key, holder, undefined, outcome);
  }

  async wait(key: string, signal: AbortSignal): Promise<CallOutcome | undefined> {
    const running = this.#running.get(key);
    if (running === undefined) return undefined;
    return this.#waiters.wait(key, running.lapsesAtMs - this.#now(), signal);
  }

  #end(key: string, holder: string, kept: CallOutcome | undefined, outcome: CallOutcome): void {
    const ended = this.#ended.get(key);
    const call = this.#running.get(key) ?? ended;
    if (call?.holder !== holder || ended?.outcome !== undefined) return;
    const { fingerprint, keepForMs } = call;
    this.#running.delete(key);
    this.#ended.add({ key, fingerprint, holder, keepForMs, outcome: kept, expiresAtMs: this.#now() + keepForMs });
    this.#forgetOldest();
    this.#waiters.wake(key, outcome);
  }

  #forgetOldest(): void {
    this.#ended.forgetWhile(
      () => this.#running.size + this.#ended.size > this.#maxEntries || this.#ended.characters > this.#maxCharacters,
    );
  }
}
