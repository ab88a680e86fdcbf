import { LRUCache } from "lru-cache";

/** Workspaces beyond these are read anew; the longest unused go first. */
const MAX_WORKSPACES = 1_000;

interface Entry<Value> {
  /** A promise, so that calls at the same time read once. */
  readonly value: Promise<Value>;
  readonly until: number;
}

/** Options of {@link WorkspaceCache}. */
export interface KnownWorkspacesOptions<Value> {
  readonly now: () => number;
  readonly load: (workspaceId: string) => Promise<Value>;
  /** How long what was read is believed; for ever where nobody else changes it. */
  readonly maxAgeMs?: number;
}

/** Keeps in memory what every call to a network tool asks about its workspace. */
export class WorkspaceCache<Value> {
  readonly #now: () => number;
  readonly #load: (workspaceId: string) => Promise<Value>;
  readonly #maxAgeMs: number;
  readonly #entries = new LRUCache<string, Entry<Value>>({ max: MAX_WORKSPACES });

  constructor({ now, load, maxAgeMs = Number.POSITIVE_INFINITY }: KnownWorkspacesOptions<Value>) {
    this.#now = now;
    this.#load = load;
    this.#maxAgeMs = maxAgeMs;
  }

  find(workspaceId: string): Promise<Value> {
    const known = this.#entries.get(workspaceId);
    if (known !== undefined && known.until > this.#now()) return known.value;
    const entry = { value: this.#load(workspaceId), until: this.#now() + this.#maxAgeMs };
    this.#entries.set(workspaceId, entry);
    entry.value.catch(() => {
      if (this.#entries.peek(workspaceId) === entry) this.#entries.delete(workspaceId);
    });
    return entry.value;
  }

  /** To be called after every commit that changes something of it. */
  forget(workspaceId: string): void {
    this.#entries.delete(workspaceId);
  }
}
