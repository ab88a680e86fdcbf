import type { ChildProcess } from "node:child_process";
import type { Store } from "../../../src/journal/port.ts";

/** One place where a store keeps its data, for one test. */
export interface StoreHarness {
  /** Opens the data; after `close` it can be opened again. */
  open(): Promise<Store>;
  /**
   * Starts a process that opens the same data and appends to several executions at once for ever, writing a line
   * `<execution id> <last acknowledged seq>` after each append. See `support/append-forever.ts`.
   */
  startAppender(): ChildProcess;
  /** Deletes the data. */
  dispose(): Promise<void>;
}
