import { FORMATS } from "@yagate/lib/json-schema/formats/formats";

/**
 * String formats that are recognised, narrowest first. The patterns are stricter than the formats, so that a format is
 * never inferred by mistake.
 */
const RECOGNISED: readonly (readonly [format: string, shape: RegExp])[] = [
  ["date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["time", /^\d\d:\d\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/],
  ["uuid", /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
  ["email", /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i],
  ["uri", /^(?:https?|ftp|wss?):\/\/[a-z0-9][\w.~:/?#&=+%-]*$/i],
];

/** Returns the formats that the string matches. */
export function formatsOf(text: string): readonly string[] {
  const fits = ([format, shape]: (typeof RECOGNISED)[number]) =>
    shape.test(text) && FORMATS.get(format)?.fits?.(text, "2020-12") === true;
  return RECOGNISED.filter(fits).map(([format]) => format);
}
