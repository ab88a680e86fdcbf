import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import { LRUCache } from "lru-cache";

/** Maximum number of names in the cache. The least recently used name is evicted first. */
const MAX_NAMES = 4_096;

/** A signing secret with its text. */
export interface LiveSecret {
  readonly text: string;
  /** When the secret stops being used, in ms since the epoch; null for the current one. */
  readonly expiresAt: EpochMs | null;
}

/** Options for {@link LiveSecrets}. */
export interface LiveSecretsOptions {
  readonly now: () => EpochMs;
  readonly load: (workspaceId: string, name: string) => Promise<readonly LiveSecret[]>;
  /** How long secrets are cached, in ms. Default: no limit, which requires that only this process rotates them. */
  readonly maxAgeMs?: number;
}

interface Loaded {
  /** A promise, so that concurrent calls load the secrets only once, and all use the same ones if loading fails. */
  readonly secrets: Promise<readonly LiveSecret[]>;
  readonly until: EpochMs;
  /** The secrets, once they are loaded. */
  found?: readonly LiveSecret[];
  /** The texts of the live secrets, and the time until which they are live. */
  live?: LiveTexts;
}

interface LiveTexts {
  readonly texts: readonly string[];
  readonly until: EpochMs;
}

/** A cache of decrypted signing secrets, because every call is signed with them. */
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

  /**
   * Returns the texts of the secrets with which calls are currently signed, in the order in which they were loaded;
   * none for an unknown name. Returns a promise only if it has to load the secrets.
   */
  textsOf(workspaceId: string, name: string): readonly string[] | Promise<readonly string[]> {
    const known = this.#names.get(keyOf(workspaceId, name));
    const now = this.#now();
    if (known?.found === undefined || known.until <= now) return this.#loadTexts(workspaceId, name);
    if (known.live === undefined || known.live.until <= now) known.live = liveTextsOf(known.found, now);
    return known.live.texts;
  }

  /** Removes the secrets of this name from the cache. Call it after every commit that changes them. */
  forget(workspaceId: string, name: string): void {
    this.#names.delete(keyOf(workspaceId, name));
  }

  async #loadTexts(workspaceId: string, name: string): Promise<readonly string[]> {
    const secrets = await this.#find(workspaceId, name);
    return liveTextsOf(secrets, this.#now()).texts;
  }

  async #find(workspaceId: string, name: string): Promise<readonly LiveSecret[]> {
    const key = keyOf(workspaceId, name);
    const known = this.#names.get(key);
    if (known !== undefined && known.until > this.#now()) return known.secrets;
    let isStoreUnavailable = false;
    const secrets = this.#load(workspaceId, name).catch((error) => {
      if (known === undefined || !YagateError.is(error) || error.code !== "UNAVAILABLE") throw error;
      // A call whose attempt is stored must not fail because the store has become unavailable in the meantime. The
      // lease of this process expires long before these secrets are outdated.
      isStoreUnavailable = true;
      return known.secrets;
    });
    const loading: Loaded = { secrets, until: this.#now() + this.#maxAgeMs };
    this.#names.set(key, loading);
    let kept: Loaded | undefined;
    try {
      const found = await secrets;
      loading.found = found;
      // Names without a secret are not cached, because the secret may be created at any time.
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

function liveTextsOf(secrets: readonly LiveSecret[], now: EpochMs): LiveTexts {
  const live = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  return {
    // Replicas that start at the same time with the same new secret may each have stored it.
    texts: [...new Set(live.map(({ text }) => text))],
    until: Math.min(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY)),
  };
}

/** Joins the workspace id and the name with a space. Workspace ids contain no spaces, so every key is unique. */
function keyOf(workspaceId: string, name: string): string {
  return `${workspaceId} ${name}`;
}
