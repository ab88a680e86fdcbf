import type { EpochMs } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import type { Principal } from "./principal.ts";

/** Default maximum age of a cached key, in ms. */
const DEFAULT_MAX_AGE_MS = 5_000;
const MAX_ENTRIES = 1_024;

interface Entry {
  readonly principal: Principal;
  readonly until: EpochMs;
}

/**
 * Caches the rights of keys by hash or id, so that a busy client does not cause one read per request. Unknown keys are
 * not cached.
 */
export class PrincipalCache {
  readonly #now: () => EpochMs;
  readonly #load: (name: string) => Promise<Principal | undefined>;
  readonly #maxAgeMs: number;
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  /** Number of changes so far. It prevents a key that was read before a change from being cached after the change. */
  #generation = 0;

  /** @param maxAgeMs - the maximum time in ms for which a key stays valid here after another process deleted it. */
  constructor(
    now: () => EpochMs,
    load: (name: string) => Promise<Principal | undefined>,
    maxAgeMs = DEFAULT_MAX_AGE_MS,
  ) {
    this.#now = now;
    this.#load = load;
    this.#maxAgeMs = maxAgeMs;
  }

  async find(name: string): Promise<Principal | undefined> {
    const known = this.#entries.get(name);
    if (known !== undefined && known.until > this.#now()) return known.principal;
    this.#entries.delete(name);
    const generation = this.#generation;
    const principal = await this.#load(name);
    const { expiresAt = Number.POSITIVE_INFINITY } = principal ?? {};
    if (expiresAt <= this.#now()) return undefined;
    if (principal !== undefined && generation === this.#generation) {
      this.#entries.set(name, { principal, until: Math.min(this.#now() + this.#maxAgeMs, expiresAt) });
    }
    return principal;
  }

  /** Removes a key from the cache. Call it after the commit that deletes or changes the key. */
  forget(keyId: string): void {
    this.#generation += 1;
    for (const [name, { principal }] of this.#entries) {
      if (principal.keyId === keyId) this.#entries.delete(name);
    }
  }
}
