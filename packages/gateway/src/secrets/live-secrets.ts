import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import { LRUCache } from "lru-cache";

/** More names than this are not kept; the longest unused go first. */
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
  /** How long secrets are believed to be the live ones without asking again; for ever where nobody else rotates them. */
  readonly maxAgeMs?: number;
}

interface Loaded {
  /** A promise, so that calls at the same time open a secret once, and fall back to the same ones. */
  readonly secrets: Promise<readonly LiveSecret[]>;
  readonly until: EpochMs;
}

/** Keeps opened secrets in memory, since every call is signed with them. */
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

  /** Texts that sign now, in the order in which they were loaded; none for an unknown name. */
  async textsOf(workspaceId: string, name: string): Promise<readonly string[]> {
    const secrets = await this.#find(workspaceId, name);
    const now = this.#now();
    const live = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    // Replicas that start with the same new secret at the same moment may each have made it the current one.
    return [...new Set(live.map(({ text }) => text))];
  }

  /** To be called after every commit that changes the name's secrets. */
  forget(workspaceId: string, name: string): void {
    this.#names.delete(keyOf(workspaceId, name));
  }

  async #find(workspaceId: string, name: string): Promise<readonly LiveSecret[]> {
    const key = keyOf(workspaceId, name);
    const known = this.#names.get(key);
    if (known !== undefined && known.until > this.#now()) return known.secrets;
    let isAway = false;
    const secrets = this.#load(workspaceId, name).catch((error) => {
      if (known === undefined || !YagateError.is(error) || error.code !== "UNAVAILABLE") throw error;
      // A call whose attempt is in the journal must not fail because the store went away in between. The lease ends
      // what this process may send long before such secrets are old.
      isAway = true;
      return known.secrets;
    });
    const loading = { secrets, until: this.#now() + this.#maxAgeMs };
    this.#names.set(key, loading);
    let kept: Loaded | undefined;
    try {
      const found = await secrets;
      // A name without a secret is asked for again: it may be made at any moment.
      if (found.length > 0) kept = isAway ? known : loading;
      return found;
    } finally {
      if (this.#names.peek(key) === loading) {
        if (kept === undefined) this.#names.delete(key);
        else this.#names.set(key, kept);
      }
    }
  }
}

/** Ids hold no space. */
function keyOf(workspaceId: string, name: string): string {
  return `${workspaceId} ${name}`;
}
