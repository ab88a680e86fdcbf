const SHAPE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/**
 * Returns whether a text is an RFC 3339 time in UTC, such as `2026-11-21T06:00:00.000Z`, that `Date.parse` reads as
 * written. False for anything else: another zone, missing seconds, 30 February.
 */
export function isTimestamp(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const day = Number(text.slice(8, 10));
  // Date.parse turns 30 February into 2 March.
  return day <= 28 || day <= daysInMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
