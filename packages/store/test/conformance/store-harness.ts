import type { ChildProcess } from "node:child_process";
import type { RecountedBytes } from "../../../../test/services/stored-bytes.ts";
import type { Store } from "../../src/port.ts";

/** One place where a store keeps its data, for one test. */
export interface StoreHarness {
  /** Opens the data; after `close` it can be opened again. */
  open(): Promise<Store>;
  /**
   * Starts a process that opens the same data and appends to several executions at once for ever, writing a line
   * `<execution id> <last acknowledged seq>` after each append. See `support/append-forever.ts`.
   */
  startAppender(): ChildProcess;
  /** What workspaces store, counted from the rows. */
  recountBytes(): Promise<readonly RecountedBytes[]>;
  /** Makes all rows as an older version has left them, which counted nothing. */
  forgetBytes(): Promise<void>;
  /** Deletes the data. */
  dispose(): Promise<void>;
}
