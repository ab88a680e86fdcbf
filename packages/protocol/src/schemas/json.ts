import * as z from "zod";

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

// The value comes from JSON.parse, so checking again that all of it is JSON would only take time.
export const jsonValueSchema = z.custom<JsonValue>((value) => value !== undefined, "expected a JSON value");

export const jsonObjectSchema = z
  .custom<JsonObject>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "expected a JSON object",
  )
  // JSON Schemas are generated from these schemas, and a custom check would have no type in them.
  .meta({ type: "object" });

/** An RFC 3339 timestamp in UTC, such as `2026-11-21T06:00:00.000Z`. */
export const timestampSchema = z.iso.datetime();

/** A timestamp in a request: RFC 3339 in any time zone. */
export const momentSchema = z.iso.datetime({
  offset: true,
  error: ({ code }) =>
    code === "invalid_format" ? "expected an RFC 3339 timestamp such as 2026-11-22T09:00:00Z" : undefined,
});
