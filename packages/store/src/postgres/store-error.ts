import { YagateError } from "@yagate/protocol";

/**
 * What happened to a failed statement:
 * - `unsent`: there was no connection, so nothing happened.
 * - `aborted`: the server reported that the statement did not run.
 * - `lost`: the connection broke or timed out, so the outcome is unknown.
 */
export type StatementFate = "unsent" | "aborted" | "lost";

/**
 * The error of a failed statement, used only inside the PostgreSQL store. Code that uses the store receives the error
 * from {@link toStoreError}.
 */
export class StatementError extends Error {
  override readonly name = "StatementError";
  readonly fate: StatementFate;
  /** The five-character SQLSTATE that PostgreSQL returned; undefined if it did not respond. */
  readonly sqlState: string | undefined;

  constructor(fate: StatementFate, cause: unknown) {
    super("a statement failed", { cause });
    this.fate = fate;
    this.sqlState = sqlStateOf(cause);
  }
}

/**
 * Reasons by SQLSTATE prefix, for failures of the server and not of the statement. The longest matching prefix wins.
 */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["08", "the connection failed"],
  ["25006", "the server accepts no writes, because it is a standby or read-only"],
  ["28", "the server rejected the user or the password"],
  ["3D000", "the database does not exist"],
  ["40", "the statement conflicted with other transactions too often"],
  ["42501", "the user lacks a permission"],
  ["53100", "the disk is full"],
  ["53300", "the server accepts no more connections"],
  ["53", "the server lacks resources"],
  ["55P03", "another transaction holds a lock that the statement needs"],
  ["57014", "the statement took too long"],
  ["57", "the server is stopping or starting"],
  ["58", "reading or writing the disk failed"],
  ["XX001", "the database is damaged"],
  ["XX002", "the database is damaged"],
  // For example, a file that cannot grow has no specific SQLSTATE.
  ["XX", "the server had an internal error"],
]);

/** The SQLSTATEs of conflicts between transactions: a retry of the same statements may succeed. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);

/** The SQLSTATEs with which the server ends a connection. The outcome of a commit in flight is then unknown. */
const CONNECTION_ENDS: ReadonlySet<string> = new Set(["57P01", "57P02", "57P03", "57P05"]);

function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  // Node's error codes, such as ECONNRESET, are not five characters long, except EPIPE, and no SQLSTATE starts with EP.
  return /^[0-9A-Z]{5}$/.test(error.code) && error.code !== "EPIPE" ? error.code : undefined;
}

/** Returns the fate of a statement that was sent. */
export function fateOf(error: unknown): StatementFate {
  const state = sqlStateOf(error);
  return state === undefined || state.startsWith("08") || CONNECTION_ENDS.has(state) ? "lost" : "aborted";
}

/** Checks whether an immediate retry may succeed. */
export function isConflict(error: unknown): boolean {
  return error instanceof StatementError && error.fate === "aborted" && CONFLICTS.has(error.sqlState ?? "");
}

/** Returns the reason if the server failed; undefined if the statement itself failed. */
export function storageFailureOf({ sqlState, fate }: StatementError): string | undefined {
  if (sqlState === undefined) return fate === "aborted" ? undefined : "the database does not respond";
  return [sqlState, sqlState.slice(0, 2)].map((key) => REASONS.get(key)).find((reason) => reason !== undefined);
}

/**
 * Converts the error of a statement: to `UNAVAILABLE` with the reason if the server failed, otherwise to `INTERNAL`.
 */
export function toStoreError(error: unknown): YagateError {
  if (YagateError.is(error)) return error;
  if (!(error instanceof StatementError)) {
    return new YagateError("INTERNAL", "a statement on the store failed", { cause: error });
  }
  const reason = storageFailureOf(error);
  if (reason === undefined) {
    return new YagateError("INTERNAL", "a statement on the store failed", { cause: error.cause });
  }
  return new YagateError("UNAVAILABLE", `the store could not be read or written: ${reason}`, { cause: error.cause });
}

/** Creates the error for a write whose outcome could not be determined. */
export function outcomeUnknown(cause: unknown): YagateError {
  return new YagateError(
    "UNAVAILABLE",
    "the connection to the database was lost during a write, and the outcome could not be determined",
    { cause: cause instanceof StatementError ? cause.cause : cause },
  );
}
