const SHAPE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/**
 * Returns whether a text is an RFC 3339 time in UTC, such as `2026-11-21T06:00:00.000Z`, that `Date.parse` does not
 * change. False for anything else, such as another time zone, missing seconds or 30 February.
 */
export function isTimestamp(text: unknown): boolean {
  if (typeof text !== "string" || !SHAPE.test(text)) return false;
  const day = Number(text.slice(8, 10));
  // Date turns 30 February into 2 March. No month has fewer than 28 days.
  return day <= 28 || new Date(text).getUTCDate() === day;
}
