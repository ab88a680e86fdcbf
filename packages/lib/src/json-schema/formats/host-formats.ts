import { domainToASCII } from "node:url";
import { obeysBidiRule } from "./bidi-rule.ts";
import { decodePunycode } from "./punycode.ts";
import { isUnicodeLabel } from "./unicode-label.ts";

const MAX_HOST_CHARACTERS = 253;
const MAX_LABEL_CHARACTERS = 63;
const ASCII_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
/** Characters that UTS 46 removes from names, except for the two joiners, which are significant. */
const IGNORED = /\u00ad|\u034f|\u200b|\u2060|\u2064|\ufeff|\p{Variation_Selector}/gu;

/** Checks a host name as in RFC 1123. */
export function isPlainHostname(text: string): boolean {
  return text.length <= MAX_HOST_CHARACTERS && text.split(".").every(isPlainLabel);
}

/** Checks a host name as in RFC 1123, whose labels that start with `xn--` must also be valid under RFC 5890. */
export function isHostname(text: string): boolean {
  return isPlainHostname(text) && areLabels(text.split("."));
}

/**
 * Checks an internationalised host name (RFC 5890). Its labels may contain non-ASCII characters; labels and dots are
 * mapped as in UTS 46.
 */
export function isIdnHostname(text: string): boolean {
  if (text.length > MAX_HOST_CHARACTERS * 4) return false;
  const labels = mapped(text).split(/[.\u3002]/);
  let length = labels.length - 1;
  for (const label of labels) {
    const ascii = isAscii(label) ? label : domainToASCII(label);
    if (!isPlainLabel(ascii)) return false;
    length += ascii.length;
  }
  return length <= MAX_HOST_CHARACTERS && areLabels(labels);
}

/**
 * Maps a name as in UTS 46. Characters that the mapping would turn into other letters, such as a final sigma or a sharp
 * s, stay unchanged.
 */
function mapped(text: string): string {
  return text.replace(IGNORED, "").normalize("NFKC").toLowerCase().normalize("NFC");
}

function isPlainLabel(label: string): boolean {
  return label.length <= MAX_LABEL_CHARACTERS && ASCII_LABEL.test(label);
}

function areLabels(labels: readonly string[]): boolean {
  const unicode = labels.map(toUnicode);
  return unicode.every((label) => label !== undefined) && obeysBidiRule(unicode);
}

/** Decodes a label to Unicode; `undefined` if it is invalid. */
function toUnicode(label: string): string | undefined {
  if (!isAscii(label)) return isUnicodeLabel(label) ? label : undefined;
  if (!/^xn--/i.test(label)) return label.slice(2, 4) === "--" ? undefined : label;
  const decoded = decodePunycode(label.slice(4).toLowerCase());
  if (decoded === undefined || isAscii(decoded) || !isUnicodeLabel(decoded)) return undefined;
  return domainToASCII(decoded) === label.toLowerCase() ? decoded : undefined;
}

function isAscii(text: string): boolean {
  return /^[^\u0080-\uffff]*$/.test(text);
}
