import { YagateError } from "@yagate/protocol";

/**
 * Converts a time in a query to RFC 3339. Strings are passed on unchanged, and the gateway checks them.
 *
 * @throws YagateError `INVALID_REQUEST` for a value that is neither a string nor a valid `Date`.
 */
export function momentText(value: string | Date | undefined, option: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  if (Object.prototype.toString.call(value) === "[object Date]" && !Number.isNaN(value.getTime())) {
    return value.toISOString();
  }
  const message = `${option}: expected a valid Date, or RFC 3339, such as 2026-11-22T09:00:00Z`;
  throw new YagateError("INVALID_REQUEST", message, { hint: "correct the option; nothing was sent" });
}
