/** Names of the character references for printable ASCII characters. */
const NAMED: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "!": ["excl"],
    '"': ["quot", "QUOT"],
    "#": ["num"],
    $: ["dollar"],
    "%": ["percnt"],
    "&": ["amp", "AMP"],
    "'": ["apos"],
    "(": ["lpar"],
    ")": ["rpar"],
    "*": ["ast", "midast"],
    "+": ["plus"],
    ",": ["comma"],
    ".": ["period"],
    "/": ["sol"],
    ":": ["colon"],
    ";": ["semi"],
    "<": ["lt", "LT"],
    "=": ["equals"],
    ">": ["gt", "GT"],
    "?": ["quest"],
    "@": ["commat"],
    "[": ["lbrack", "lsqb"],
    "\\": ["bsol"],
    "]": ["rbrack", "rsqb"],
    "^": ["Hat"],
    _: ["lowbar", "UnderBar"],
    "`": ["grave", "DiacriticalGrave"],
    "{": ["lbrace", "lcub"],
    "|": ["verbar", "vert", "VerticalLine"],
    "}": ["rbrace", "rcub"],
  }).flatMap(([character, names]) => names.map((name) => [name, character.charCodeAt(0)])),
);

/** Maximum length of a reference in bytes. In HTML, the number of leading zeros is unlimited. */
const MAX_BYTES = 24;
const NUMBER_SIGN = 0x23;
const SEMICOLON = 0x3b;
const LOWER_X = 0x78;
const MAX_CODE_POINT = 0x10ffff;

/**
 * Parses an HTML character reference, such as `&amp;`, `&#38;` or `&#x26;`. Like browsers, it accepts a number without
 * a semicolon, which then ends with its last digit. A reference that may continue after the last byte is not accepted
 * yet.
 */
export function characterReference(bytes: Uint8Array, at: number): Escape | undefined {
  return bytes[at + 1] === NUMBER_SIGN ? numericReference(bytes, at) : namedReference(bytes, at);
}

function namedReference(bytes: Uint8Array, at: number): Escape | undefined {
  let end = at + 1;
  while (end - at < MAX_BYTES && isLetterOrDigit(bytes[end])) end++;
  const meaning = bytes[end] === SEMICOLON ? NAMED.get(asciiIn(bytes, at + 1, end)) : undefined;
  return meaning === undefined ? undefined : { length: end + 1 - at, meaning };
}

function numericReference(bytes: Uint8Array, at: number): Escape | undefined {
  const isHex = ((bytes[at + 2] ?? 0) | 0x20) === LOWER_X;
  const start = at + (isHex ? 3 : 2);
  let end = start;
  while (end - at < MAX_BYTES && isDigit(bytes[end], isHex)) end++;
  if (end === start || end === bytes.length) return undefined;
  const codePoint = Number.parseInt(asciiIn(bytes, start, end), isHex ? 16 : 10);
  if (codePoint > MAX_CODE_POINT) return undefined;
  const meaning = codePoint < 0x80 ? codePoint : Buffer.from(String.fromCodePoint(codePoint), "utf8");
  return { length: (bytes[end] === SEMICOLON ? end + 1 : end) - at, meaning };
}

function isLetterOrDigit(byte = 0): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

function isDigit(byte = 0, isHex: boolean): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (isHex && letter >= 0x61 && letter <= 0x66);
}

function asciiIn(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index] ?? 0);
  return text;
}

/** An escape: its length in bytes, and the bytes for which it stands, of which there are never more. */
export interface Escape {
  readonly length: number;
  readonly meaning: number | Uint8Array;
}
