/** Characters that XML 1.0 does not allow, not even escaped. */
const FORBIDDEN = /[^\t\n\r\x20-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Escapes a text for the content of an XML element. A character that XML does not allow becomes `?`. */
export function xmlText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(FORBIDDEN, "?");
}

/** Returns a text as the value of an XML attribute, in quotes. */
export function xmlAttribute(text: string): string {
  return `"${xmlText(text)}"`;
}
