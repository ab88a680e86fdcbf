import type { EntryTable } from "./entry-table.ts";

/** Small, so that no statement holds up others for long. */
const BATCH = 500;
/** The least time between two looks for expired entries when the last one found few. */
const PAUSE_MS = 1_000;

/**
 * Removes entries whose time is over, a batch beside a claim now and then: as long as calls come, more is removed than
 * is added, and no timer runs when none come.
 */
export class ExpiredEntries {
  readonly #table: EntryTable;
  #isRemoving = false;
  #nextAtMs = 0;
  #failure: Error | undefined;

  constructor(table: EntryTable) {
    this.#table = table;
  }

  /** Begins to remove a batch, when it is time. */
  removeSome(): void {
    if (this.#table.removeExpired === undefined || this.#isRemoving || performance.now() < this.#nextAtMs) return;
    this.#isRemoving = true;
    this.#table
      .removeExpired(BATCH)
      .then(
        (removed) => {
          this.#nextAtMs = removed < BATCH ? performance.now() + PAUSE_MS : 0;
        },
        (cause: unknown) => {
          this.#nextAtMs = performance.now() + PAUSE_MS;
          if (this.#table.isTransient(cause)) return;
          this.#failure = new Error("the idempotency store can't remove the entries that have expired", { cause });
        },
      )
      .finally(() => {
        this.#isRemoving = false;
      });
  }

  async removeAll(): Promise<number> {
    let all = 0;
    for (;;) {
      const removed = (await this.#table.removeExpired?.(BATCH)) ?? 0;
      all += removed;
      if (removed < BATCH) return all;
    }
  }

  /** Throws what made {@link removeSome} fail, once: in the background nobody would hear of a table that only grows. */
  throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }
}
