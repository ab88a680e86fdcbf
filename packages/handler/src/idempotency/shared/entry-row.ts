import { isJsonObject } from "@yagate/lib/json/json-object";
import type { CallOutcome, Claim } from "../store.ts";
import type { Sight } from "./entry-table.ts";

/** A row from a database driver. Drivers may return numbers as strings or bigints, and booleans as numbers. */
export type EntryRow = Readonly<Record<string, unknown>>;

/**
 * Checks that a value is a row.
 *
 * @throws TypeError for any other type, such as a list of values.
 */
export function toEntryRow(value: unknown): EntryRow {
  if (isJsonObject(value)) return { ...value };
  throw new TypeError("the idempotency store expected each row as an object, but the client returned another type");
}

/**
 * Converts the row that a failed claim returned (`fingerprint`, `state`, `is_open`, `status`, `attempt`, `body`) to the
 * result of the claim; undefined if the claim should be repeated.
 */
export function refusalOf(row: EntryRow, fingerprint: string): Claim | undefined {
  // The entry can be claimed now.
  if (row["is_open"]) return undefined;
  if (row["fingerprint"] !== fingerprint) return { state: "conflict" };
  const outcome = row["state"] === "finished" ? outcomeOf(row) : undefined;
  return outcome === undefined ? { state: "in_flight" } : { state: "finished", outcome };
}

/** Converts a row with `state`, `lapses_in_ms`, `status`, `attempt` and `body` to the visible state of an entry. */
export function sightOf(row: EntryRow): Sight {
  const lapsesInMs = Number(row["lapses_in_ms"]);
  if (row["state"] === "running") {
    return lapsesInMs > 0 ? { state: "running", lapsesInMs } : { state: "ended", outcome: undefined };
  }
  return { state: "ended", outcome: outcomeOf(row) };
}

function outcomeOf({ status, attempt, body }: EntryRow): CallOutcome | undefined {
  return typeof body === "string" ? { status: Number(status), body, attempt: Number(attempt) } : undefined;
}
