import type { Format } from "ajv";
import addFormats from "ajv-formats";

const NAMES = [
  "date",
  "time",
  "date-time",
  "iso-time",
  "iso-date-time",
  "duration",
  "uri",
  "uri-reference",
  "uri-template",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "regex",
  "uuid",
  "json-pointer",
  "json-pointer-uri-fragment",
  "relative-json-pointer",
  "byte",
  "int32",
  "int64",
  "float",
  "double",
  "password",
  "binary",
] as const;

/**
 * The `format` values that are enforced: those of ajv-formats. `url` has a check of its own, because the library's
 * takes quadratic time: 70 ms for a text of 18 KB.
 */
export const FORMATS: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(NAMES.map((name) => [name, addFormats.default.get(name)])),
  url: (text: string) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
};
