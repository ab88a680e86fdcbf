/** One commit of a store: how many writes shared it, and how long it took in ms, whatever came of it. */
export interface StoreCommit {
  readonly size: number;
  readonly durationMs: number;
}
