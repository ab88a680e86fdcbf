import { YagateError } from "@yagate/protocol";

/** SQLite's primary result codes that say something about the file or the machine, not about the statement. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [5, "another process holds its lock"],
  [6, "another statement holds its lock"],
  [7, "there is no memory left"],
  [8, "it is read-only"],
  [10, "reading or writing the disk failed"],
  [11, "it is damaged"],
  [13, "the disk is full"],
  [14, "it cannot be opened"],
  [26, "it is not a database, or it is damaged"],
]);

/** SQLite's extended result codes keep the primary one in their lowest byte. */
const PRIMARY_CODE_MASK = 0xff;

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & PRIMARY_CODE_MASK;
}

/** Why the file could not be read or written; undefined when the error is about something else. */
export function storageFailureOf(error: unknown): string | undefined {
  const code = primaryCodeOf(error);
  return code === undefined ? undefined : REASONS.get(code);
}

/** Whether the file's lock is held by somebody else. */
export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === 5;
}

/** Turns whatever a statement threw into our own error: `UNAVAILABLE` with the reason, or `INTERNAL`. */
export function toStoreError(error: unknown): YagateError {
  if (YagateError.is(error)) return error;
  const reason = storageFailureOf(error);
  if (reason !== undefined) {
    return new YagateError("UNAVAILABLE", `the journal could not be read or written: ${reason}`, { cause: error });
  }
  return new YagateError("INTERNAL", "a statement on the journal failed", { cause: error });
}
