import { isIPv4, isIPv6 } from "node:net";
import { type Draft, isFrom } from "../reading/drafts.ts";
import { isDate, isDateTime, isDuration, isTime } from "./date-formats.ts";
import { isEmail, isIdnEmail } from "./email-formats.ts";
import { isHostname, isIdnHostname, isPlainHostname } from "./host-formats.ts";
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from "./uri-formats.ts";

/** A `format`. Values of types to which the format does not apply are always valid. */
export interface Format {
  /** Checks a text in linear time. */
  readonly fits?: (text: string, draft: Draft) => boolean;
  readonly fitsNumber?: (value: number) => boolean;
  readonly example?: string;
}

/** Formats by name. */
export type Formats = ReadonlyMap<string, Format>;

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
const RELATIVE_POINTER = /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Every format that JSON Schema defines. Other formats are ignored. */
export const FORMATS: Formats = new Map<string, Format>([
  ["date", { fits: isDate, example: "2026-11-21" }],
  ["time", { fits: isTime, example: "09:30:00Z" }],
  ["date-time", { fits: isDateTime, example: "2026-11-21T09:30:00Z" }],
  ["duration", { fits: isDuration, example: "P1DT2H" }],
  ["email", { fits: isEmail, example: "name@example.com" }],
  ["idn-email", { fits: isIdnEmail, example: "name@example.com" }],
  ["hostname", { fits: isHostnameOf, example: "www.example.com" }],
  ["idn-hostname", { fits: isIdnHostname, example: "www.example.com" }],
  ["ipv4", { fits: isIPv4, example: "192.0.2.1" }],
  ["ipv6", { fits: (text) => isIPv6(text) && !text.includes("%"), example: "2001:db8::1" }],
  ["uri", { fits: isUri, example: "https://example.com/page" }],
  ["uri-reference", { fits: isUriReference, example: "/page?id=1" }],
  ["iri", { fits: isIri, example: "https://example.com/page" }],
  ["iri-reference", { fits: isIriReference, example: "/page?id=1" }],
  ["uri-template", { fits: isUriTemplate, example: "https://example.com/{id}" }],
  ["uuid", { fits: (text) => UUID.test(text), example: "01890f5e-7a3c-7cc0-98d2-0f0f2c1a9b3e" }],
  ["json-pointer", { fits: (text) => POINTER.test(text), example: "/items/0" }],
  ["relative-json-pointer", { fits: (text) => RELATIVE_POINTER.test(text), example: "1/items/0" }],
  ["regex", { fits: isRegularExpression, example: "^[a-z]+$" }],
]);

/** Checks a host name. From draft 07, labels that start with `xn--` are also checked. */
function isHostnameOf(text: string, draft: Draft): boolean {
  return isFrom(draft, "07") ? isHostname(text) : isPlainHostname(text);
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, "u").unicode;
  } catch {
    return false;
  }
}
