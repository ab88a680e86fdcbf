/** The operations of the tool. */
export const OPERATIONS = [
  "now",
  "parse",
  "format",
  "relative",
  "convert",
  "add",
  "subtract",
  "difference",
  "start_of",
  "end_of",
  "weekday",
  "add_business_days",
  "count_business_days",
  "zone_info",
] as const;

/** Output styles: the four lengths of a locale, and standard formats. */
export const STYLES = ["full", "long", "medium", "short", "iso", "rfc2822", "http", "unix"] as const;
export type Style = (typeof STYLES)[number];

export const DATE_ORDERS = ["DMY", "MDY"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Calendar and clock periods that have a start and an end. Weeks begin on Monday. */
export const PERIODS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;
export type Period = (typeof PERIODS)[number];

/** The ways to resolve a wall-clock time that a clock change skips or repeats. */
export const DISAMBIGUATIONS = ["earlier", "later", "reject"] as const;
export type Disambiguation = (typeof DISAMBIGUATIONS)[number];

/** The weekdays in the order of ISO 8601, starting with Monday. */
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];
