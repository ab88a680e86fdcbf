import type { ExecutionEvent } from "@yagate/protocol";

/** One numbered event, and what of it only a model provider may see again. */
export interface EventEntry {
  readonly event: ExecutionEvent;
  /** The assistant message of a `model.responded`, with the provider's metadata verbatim; never served. */
  readonly assistantMessage?: unknown;
}

/** Reads the log of an execution. */
export interface EntryReader {
  /** All entries after `afterSeq` (0: from the start), in order. */
  entries(executionId: string, afterSeq: number): Promise<readonly EventEntry[]>;
  /**
   * The first of them, for readers who take their time: some 256 KiB, and at least the entries of one append.
   * `isLast`: there were no others at that moment.
   */
  entryPage(
    executionId: string,
    afterSeq: number,
  ): Promise<{ readonly entries: readonly EventEntry[]; readonly isLast: boolean }>;
}
