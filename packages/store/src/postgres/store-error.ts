import { YagateError } from "@yagate/protocol";

/**
 * How far a statement came that failed:
 * - `unsent`: there was no connection, so nothing has happened.
 * - `aborted`: the server said that it did not do it.
 * - `lost`: the connection broke or the time was over, so nobody here knows.
 */
export type StatementFate = "unsent" | "aborted" | "lost";

/** A statement that failed, for the rooms of PostgreSQL; whoever asked the store gets what {@link toStoreError} makes of it. */
export class StatementError extends Error {
  override readonly name = "StatementError";
  readonly fate: StatementFate;
  /** Five characters of PostgreSQL; undefined when it did not answer. */
  readonly sqlState: string | undefined;

  constructor(fate: StatementFate, cause: unknown) {
    super("a statement failed", { cause });
    this.fate = fate;
    this.sqlState = sqlStateOf(cause);
  }
}

/** States that say something about the server, not about the statement. The longest match counts. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["08", "the connection failed"],
  ["25006", "the server takes no writes: it is a replica, or read-only"],
  ["28", "the server refused the user or the password"],
  ["3D000", "the database does not exist"],
  ["40", "other transactions were in its way again and again"],
  ["42501", "the user has not the right to do it"],
  ["53100", "the disk is full"],
  ["53300", "the server takes no more connections"],
  ["53", "the server has not the means for it"],
  ["55P03", "another transaction holds what it needs"],
  ["57014", "it took too long"],
  ["57", "the server is stopping or starting"],
  ["58", "reading or writing the disk failed"],
  ["XX001", "it is damaged"],
  ["XX002", "it is damaged"],
  // Such as a file that may not grow, for which there is no state of its own.
  ["XX", "the server failed inside"],
]);

/** Conflicts between transactions: the same statements may succeed when they are tried again. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);

/** After these nobody knows what became of a commit that was on its way. */
const CONNECTION_ENDS: ReadonlySet<string> = new Set(["57P01", "57P02", "57P03", "57P05"]);

function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  // Node's own codes (ECONNRESET) have other lengths, but for EPIPE, which no state begins like.
  return /^[0-9A-Z]{5}$/.test(error.code) && error.code !== "EPIPE" ? error.code : undefined;
}

/** What a failure of a statement that was sent says about its fate. */
export function fateOf(error: unknown): StatementFate {
  const state = sqlStateOf(error);
  return state === undefined || state.startsWith("08") || CONNECTION_ENDS.has(state) ? "lost" : "aborted";
}

/** Whether the same work may succeed when it is tried again at once. */
export function isConflict(error: unknown): boolean {
  return error instanceof StatementError && error.fate === "aborted" && CONFLICTS.has(error.sqlState ?? "");
}

/** Why the server could not serve; undefined when the error is about the statement itself. */
export function storageFailureOf({ sqlState, fate }: StatementError): string | undefined {
  if (sqlState === undefined) return fate === "aborted" ? undefined : "the database does not answer";
  return [sqlState, sqlState.slice(0, 2)].map((key) => REASONS.get(key)).find((reason) => reason !== undefined);
}

/** Turns whatever a statement threw into our own error: `UNAVAILABLE` with the reason, or `INTERNAL`. */
export function toStoreError(error: unknown): YagateError {
  if (YagateError.is(error)) return error;
  if (!(error instanceof StatementError)) {
    return new YagateError("INTERNAL", "a statement on the journal failed", { cause: error });
  }
  const reason = storageFailureOf(error);
  if (reason === undefined) {
    return new YagateError("INTERNAL", "a statement on the journal failed", { cause: error.cause });
  }
  return new YagateError("UNAVAILABLE", `the journal could not be read or written: ${reason}`, { cause: error.cause });
}

/** For a write of which nobody could find out whether it took effect. */
export function outcomeUnknown(cause: unknown): YagateError {
  return new YagateError(
    "UNAVAILABLE",
    "the database was lost while it was written to, and did not come back to say whether that took effect",
    { cause: cause instanceof StatementError ? cause.cause : cause },
  );
}
