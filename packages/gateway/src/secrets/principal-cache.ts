import type { EpochMs } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import type { Principal } from "./principal.ts";

/** How long a key that was found is believed without asking again, where nobody says otherwise. */
const DEFAULT_MAX_AGE_MS = 5_000;
const MAX_ENTRIES = 1_024;

interface Entry {
  readonly principal: Principal;
  readonly until: EpochMs;
}

/**
 * Remembers for a moment what a key may do, by a name that stands for it (its hash, or its id), so that busy clients
 * cost no read each time. Misses are not kept.
 */
export class PrincipalCache {
  readonly #now: () => EpochMs;
  readonly #load: (name: string) => Promise<Principal | undefined>;
  readonly #maxAgeMs: number;
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  /** Counts changes, so that a key that was read before one is not kept after it. */
  #generation = 0;

  /** @param maxAgeMs - another process may have deleted the key by then. */
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

  /** To be called after the commit that deletes or changes the key. */
  forget(keyId: string): void {
    this.#generation += 1;
    for (const [name, { principal }] of this.#entries) {
      if (principal.keyId === keyId) this.#entries.delete(name);
    }
  }
}
