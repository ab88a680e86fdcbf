import { isDate, isDateTime, isTime } from "../formats/date-formats.ts";
import { isEmail } from "../formats/email-formats.ts";
import { isUri } from "../formats/uri-formats.ts";

/** What texts are recognised as, the narrower format first. Narrower than the formats themselves: a guess must be sure. */
const RECOGNISED: readonly (readonly [format: string, fits: (text: string) => boolean])[] = [
  [
    "date-time",
    (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) && isDateTime(text),
  ],
  ["date", isDate],
  ["time", (text) => /^\d\d:\d\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) && isTime(text)],
  ["uuid", (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)],
  [
    "email",
    (text) => /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(text) && isEmail(text),
  ],
  ["uri", (text) => /^(?:https?|ftp|wss?):\/\/[a-z0-9][\w.~:/?#&=+%-]*$/i.test(text) && isUri(text)],
];

/** The formats that a text could be of. */
export function formatsOf(text: string): readonly string[] {
  return RECOGNISED.filter(([, fits]) => fits(text)).map(([format]) => format);
}
