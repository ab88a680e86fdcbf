import { duration } from "../../text/duration.ts";
import type { Judgement, Verdict } from "../judge.ts";
import type { SavedRequest } from "../saved-request.ts";
import type { Cause } from "./cause.ts";

const HALF_HOUR_MS = 1_800_000;
const MINUTE_MS = 60_000;

/** Explains why a call is outside the tolerance: a replay, a wrong clock or a time zone. */
export function ageCause(
  { call, code }: Verdict,
  { atMs = 0, toleranceSeconds }: Judgement,
  request: SavedRequest,
): Cause {
  const ageMs = atMs - Date.parse(call?.timestamp ?? "");
  const off = `${duration(Math.abs(ageMs))} ${code === "TIMESTAMP_TOO_OLD" ? "before" : "after"} the time of the check`;
  const halfHours = Math.round(ageMs / HALF_HOUR_MS);
  const isWholeHours = halfHours !== 0 && Math.abs(ageMs - halfHours * HALF_HOUR_MS) < MINUTE_MS;
  if (isWholeHours && Math.abs(ageMs) < 15 * 2 * HALF_HOUR_MS && request.receivedAtMs !== undefined) {
    return {
      id: "time-zone",
      cause: `the call was signed ${off}: a whole number of half hours, like the offset of a time zone`,
      advice: "a local time was treated as UTC: compare both clocks in UTC",
    };
  }
  return {
    id: code === "TIMESTAMP_TOO_OLD" ? "replay-or-clock" : "clock",
    cause: `the call was signed ${off}; ${toleranceSeconds} s are allowed`,
    advice:
      code === "TIMESTAMP_TOO_OLD"
        ? "a replay, a request that waited in a queue, or a wrong clock: compare both clocks"
        : "compare both clocks",
  };
}
