import { isDate, isTime } from "./date-formats.ts";
import { type Format, type Formats, FORMATS as STANDARD } from "./formats.ts";
import { isHostname } from "./host-formats.ts";

const OFFSET = /([+-][0-9]{2})(?::?([0-9]{2}))?$/;
/** A duration in ISO 8601. Unlike in RFC 3339, a unit in the middle may be omitted. */
const DURATION =
  /^P(?!$)(?:[0-9]+W|(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?(?:T(?=[0-9])(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+S)?)?)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const URI_FRAGMENT = /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~[01])*)*$/i;
const UUID_URN = /^urn:uuid:/i;
const INT32 = 2 ** 31;

const DATE_TIME: Format = { example: "2026-11-21T09:30:00Z", fits: (text) => isDateTime(text, isOffsetTime) };
const LOCAL_DATE_TIME: Format = { example: "2026-11-21T09:30:00", fits: (text) => isDateTime(text, isLocalTime) };

/**
 * The formats that a tool's parameters may have: those of JSON Schema and of OpenAPI. All of them are enforced. Some
 * values are valid although the RFC of the format does not allow them, because handlers have always received them.
 */
export const FORMATS: Formats = new Map<string, Format>([
  ...STANDARD,
  ["date-time", DATE_TIME],
  ["iso-date-time", LOCAL_DATE_TIME],
  ["time", { ...STANDARD.get("time"), fits: isOffsetTime }],
  ["iso-time", { example: "09:30:00", fits: isLocalTime }],
  ["duration", { ...STANDARD.get("duration"), fits: (text) => DURATION.test(text) }],
  ["hostname", { ...STANDARD.get("hostname"), fits: (text) => isHostname(text.replace(/\.$/, "")) }],
  ["uuid", { ...STANDARD.get("uuid"), fits: isUuid }],
  ["regex", { ...STANDARD.get("regex"), fits: isRegularExpression }],
  ["url", { example: "https://example.com/page", fits: isUrl }],
  ["json-pointer-uri-fragment", { example: "#/items/0", fits: (text) => URI_FRAGMENT.test(text) }],
  ["byte", { example: "aGVsbG8=", fits: (text) => BASE64.test(text.replace(/\s/g, "")) }],
  ["int32", { fitsNumber: (value) => Number.isInteger(value) && value >= -INT32 && value < INT32 }],
  ["int64", { fitsNumber: Number.isInteger }],
  ["float", {}],
  ["double", {}],
  ["password", {}],
  ["binary", {}],
]);

/** Checks a time with an offset in any form of ISO 8601, such as `+02` or `+0200`. */
function isOffsetTime(text: string): boolean {
  return isTime(text.replace(OFFSET, (_offset, hours: string, minutes = "00") => `${hours}:${minutes}`));
}

/** Checks a time with or without an offset. */
function isLocalTime(text: string): boolean {
  return isOffsetTime(text) || isTime(`${text}Z`);
}

/** Checks a date and a time, separated by a T or a space, as RFC 3339 allows. */
function isDateTime(text: string, isTimePart: (text: string) => boolean): boolean {
  return /^.{10}[t\s]/i.test(text) && isDate(text.slice(0, 10)) && isTimePart(text.slice(11));
}

function isUuid(text: string): boolean {
  return STANDARD.get("uuid")?.fits?.(text.replace(UUID_URN, ""), "2020-12") === true;
}

/** Checks a regular expression. Like a pattern, it may be valid with or without the `u` flag. */
function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return STANDARD.get("regex")?.fits?.(text, "2020-12") === true;
  }
}

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}
