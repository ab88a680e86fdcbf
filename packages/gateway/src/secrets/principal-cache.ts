import type { EpochMs } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import type { Principal } from "./principal.ts";

/** Default lifetime of a cached key. */
const DEFAULT_MAX_AGE_MS = 5_000;
const MAX_ENTRIES = 1_024;

interface Entry {
  readonly principal: Principal;
  readonly until: EpochMs;
}

/**
 * Caches the rights of keys by hash or id, so that busy clients do not cause a read per request. Misses are not cached.
 */
export class PrincipalCache {
  readonly #now: () => EpochMs;
  readonly #load: (name: string) => Promise<Principal | undefined>;
  readonly #maxAgeMs: number;
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  /** Counts changes, so that a key that was read before a change is not cached after it. */
  #generation = 0;

  /** @param maxAgeMs - bounds how long a key works after another process deleted it. */
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

  /** Call after the commit that deletes or changes the key. */
  forget(keyId: string): void {
    this.#generation += 1;
    for (const [name, { principal }] of this.#entries) {
      if (principal.keyId === keyId) this.#entries.delete(name);
    }
  }
}
