import type { EpochMs } from "../journal/port.ts";

/** More names than this are not kept; the longest unused go first. */
const MAX_NAMES = 4_096;

/** An opened secret. */
export interface LiveSecret {
  readonly text: string;
  /** Null for the current one. */
  readonly expiresAt: EpochMs | null;
}

/** Keeps opened secrets in memory, since every call is signed with them. */
export class LiveSecrets {
  readonly #now: () => EpochMs;
  readonly #load: (workspaceId: string, name: string) => Promise<readonly LiveSecret[]>;
  /** Promises, so that calls at the same time open a secret once. Least recently loaded first. */
  readonly #names = new Map<string, Promise<readonly LiveSecret[]>>();

  constructor(now: () => EpochMs, load: (workspaceId: string, name: string) => Promise<readonly LiveSecret[]>) {
    this.#now = now;
    this.#load = load;
  }

  /** Texts that sign now, in the order in which they were loaded; none for an unknown name. */
  async textsOf(workspaceId: string, name: string): Promise<readonly string[]> {
    const secrets = await this.#find(workspaceId, name);
    const now = this.#now();
    return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ text }) => text);
  }

  /** To be called after every commit that changes the name's secrets. */
  forget(workspaceId: string, name: string): void {
    this.#names.delete(keyOf(workspaceId, name));
  }

  async #find(workspaceId: string, name: string): Promise<readonly LiveSecret[]> {
    const key = keyOf(workspaceId, name);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const loading = this.#load(workspaceId, name);
    this.#names.set(key, loading);
    this.#dropOldest();
    let isKept = false;
    try {
      const secrets = await loading;
      // A name without a secret is asked for again: it may be made at any moment.
      isKept = secrets.length > 0;
      return secrets;
    } finally {
      if (!isKept && this.#names.get(key) === loading) this.#names.delete(key);
    }
  }

  #dropOldest(): void {
    for (const key of this.#names.keys()) {
      if (this.#names.size <= MAX_NAMES) return;
      this.#names.delete(key);
    }
  }
}

/** Ids hold no space. */
function keyOf(workspaceId: string, name: string): string {
  return `${workspaceId} ${name}`;
}
