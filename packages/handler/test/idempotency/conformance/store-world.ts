import type { IdempotencyStore } from "../../../src/index.ts";

/** A store under test, empty at the start. */
export interface StoreWorld {
  /** Opens it once more, as another process would; a store that is not shared hands out the only one there is. */
  open(options?: { readonly tenant?: string }): Promise<IdempotencyStore>;
  /** Lets so much time pass for all entries. */
  age(durationMs: number): Promise<void>;
  close(): Promise<void>;
}
