import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import { LRUCache } from "lru-cache";

/** Names in the cache; the least recently used is evicted first. */
const MAX_NAMES = 4_096;

/** An opened secret. */
export interface LiveSecret {
  readonly text: string;
  /** Null for the current one. */
  readonly expiresAt: EpochMs | null;
}

/** Options of {@link LiveSecrets}. */
export interface LiveSecretsOptions {
  readonly now: () => EpochMs;
  readonly load: (workspaceId: string, name: string) => Promise<readonly LiveSecret[]>;
  /** How long secrets are cached in ms; default: without limit, for a process that alone rotates them. */
  readonly maxAgeMs?: number;
}

interface Loaded {
  /** A promise, so that concurrent calls open a secret once and fall back to the same ones. */
  readonly secrets: Promise<readonly LiveSecret[]>;
  readonly until: EpochMs;
}

/** Caches opened signing secrets, because every call is signed with them. */
export class LiveSecrets {
  readonly #now: () => EpochMs;
  readonly #load: LiveSecretsOptions["load"];
  readonly #maxAgeMs: number;
  readonly #names = new LRUCache<string, Loaded>({ max: MAX_NAMES });

  constructor({ now, load, maxAgeMs = Number.POSITIVE_INFINITY }: LiveSecretsOptions) {
    this.#now = now;
    this.#load = load;
    this.#maxAgeMs = maxAgeMs;
  }

  /** The secrets that currently sign, in the order in which they were loaded; none for an unknown name. */
  async textsOf(workspaceId: string, name: string): Promise<readonly string[]> {
    const secrets = await this.#find(workspaceId, name);
    const now = this.#now();
    const live = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    // Replicas that start at the same moment with the same new secret may each have stored it.
    return [...new Set(live.map(({ text }) => text))];
  }

  /** Call after every commit that changes the secrets of this name. */
  forget(workspaceId: string, name: string): void {
    this.#names.delete(keyOf(workspaceId, name));
  }

  async #find(workspaceId: string, name: string): Promise<readonly LiveSecret[]> {
    const key = keyOf(workspaceId, name);
    const known = this.#names.get(key);
    if (known !== undefined && known.until > this.#now()) return known.secrets;
    let isStoreUnavailable = false;
    const secrets = this.#load(workspaceId, name).catch((error) => {
      if (known === undefined || !YagateError.is(error) || error.code !== "UNAVAILABLE") throw error;
      // A call whose attempt is stored must not fail because the store became unavailable since. The lease of this process
      // lapses long before these secrets are outdated.
      isStoreUnavailable = true;
      return known.secrets;
    });
    const loading = { secrets, until: this.#now() + this.#maxAgeMs };
    this.#names.set(key, loading);
    let kept: Loaded | undefined;
    try {
      const found = await secrets;
      // Names without a secret are not cached: the secret may be created at any moment.
      if (found.length > 0) kept = isStoreUnavailable ? known : loading;
      return found;
    } finally {
      if (this.#names.peek(key) === loading) {
        if (kept === undefined) this.#names.delete(key);
        else this.#names.set(key, kept);
      }
    }
  }
}

/** Ids contain no spaces. */
function keyOf(workspaceId: string, name: string): string {
  return `${workspaceId} ${name}`;
}
