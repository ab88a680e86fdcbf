import { LRUCache } from "lru-cache";

/** Maximum number of cached workspaces. The least recently used ones are evicted. */
const MAX_WORKSPACES = 1_000;

interface Entry<Value> {
  /** A promise, so that concurrent calls load the value only once. */
  readonly value: Promise<Value>;
  readonly until: number;
}

/** Options for {@link WorkspaceCache}. */
export interface WorkspaceCacheOptions<Value> {
  readonly now: () => number;
  readonly load: (workspaceId: string) => Promise<Value>;
  /**
   * Maximum age of a cached value in ms. Unlimited by default, which requires that no other process changes the value.
   */
  readonly maxAgeMs?: number;
}

/** Caches what calls to network tools need to know about their workspace. */
export class WorkspaceCache<Value> {
  readonly #now: () => number;
  readonly #load: (workspaceId: string) => Promise<Value>;
  readonly #maxAgeMs: number;
  readonly #entries = new LRUCache<string, Entry<Value>>({ max: MAX_WORKSPACES });

  constructor({ now, load, maxAgeMs = Number.POSITIVE_INFINITY }: WorkspaceCacheOptions<Value>) {
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

  /** Removes the value of a workspace. Call it after every commit that changes the value. */
  forget(workspaceId: string): void {
    this.#entries.delete(workspaceId);
  }
}
