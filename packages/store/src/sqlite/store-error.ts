import { YagateError } from "@yagate/protocol";

/** Reasons by SQLite's primary result code, for problems with the file or the machine and not with the statement. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [5, "another process holds its lock"],
  [6, "another statement holds its lock"],
  [7, "out of memory"],
  [8, "the file is read-only"],
  [10, "reading or writing the disk failed"],
  [11, "the file is damaged"],
  [13, "the disk is full"],
  [14, "the file cannot be opened"],
  [26, "the file is not a database, or it is damaged"],
]);

/** SQLite's extended result codes contain the primary code in their lowest byte. */
const PRIMARY_CODE_MASK = 0xff;

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & PRIMARY_CODE_MASK;
}

/** Returns why the file could not be read or written; undefined for other errors. */
export function storageFailureOf(error: unknown): string | undefined {
  const code = primaryCodeOf(error);
  return code === undefined ? undefined : REASONS.get(code);
}

/** Checks whether another process holds the lock of the file. */
export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === 5;
}

/**
 * Converts the error of a statement: to `UNAVAILABLE` with the reason if the file could not be used, otherwise to
 * `INTERNAL`.
 */
export function toStoreError(error: unknown): YagateError {
  if (YagateError.is(error)) return error;
  const reason = storageFailureOf(error);
  if (reason !== undefined) {
    return new YagateError("UNAVAILABLE", `the store could not be read or written: ${reason}`, { cause: error });
  }
  return new YagateError("INTERNAL", "a statement on the store failed", { cause: error });
}
