import type { EntryTable } from "./entry-table.ts";

/** Entries per statement: few, so that no statement delays others for long. */
const BATCH = 500;
/** Minimum time until the next search for expired entries, if the last search found few. */
const PAUSE_MS = 1_000;

/**
 * Removes expired entries in batches while claims arrive, faster than claims add new entries. Without claims, no timer
 * runs.
 */
export class ExpiredEntries {
  readonly #table: EntryTable;
  #isRemoving = false;
  #nextAtMs = 0;
  #failure: Error | undefined;

  constructor(table: EntryTable) {
    this.#table = table;
  }

  /** Starts to remove a batch if the next one is due. */
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
          this.#failure = new Error("the idempotency store can't remove expired entries", { cause });
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

  /**
   * Throws the last permanent error of {@link removeSome}, once. Otherwise, a table that only grows would go unnoticed.
   */
  throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }
}
