import type { Escape } from "./escape.ts";

/** Names of what secrets may hold and HTML need not show as it is: printable ASCII. */
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

/** The longest that is read as one; zeros in front of a number could go on for ever. */
const MAX_BYTES = 24;
const NUMBER_SIGN = 0x23;
const SEMICOLON = 0x3b;
const LOWER_X = 0x78;
const MAX_CODE_POINT = 0x10ffff;

/** Reads a character reference of HTML, such as `&amp;`, `&#38;` or `&#x26;`. */
export function characterReference(bytes: Uint8Array, at: number): Escape | undefined {
  const isNumber = bytes[at + 1] === NUMBER_SIGN;
  const start = at + (isNumber ? 2 : 1);
  let end = start;
  while (end - at < MAX_BYTES && isLetterOrDigit(bytes[end])) end++;
  if (end === start || bytes[end] !== SEMICOLON) return undefined;
  const codePoint = isNumber ? numberIn(bytes, start, end) : NAMED.get(asciiIn(bytes, start, end));
  if (codePoint === undefined || codePoint > MAX_CODE_POINT) return undefined;
  const meaning = codePoint < 0x80 ? codePoint : Buffer.from(String.fromCodePoint(codePoint), "utf8");
  return { length: end + 1 - at, meaning };
}

function isLetterOrDigit(byte = 0): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

function numberIn(bytes: Uint8Array, start: number, end: number): number | undefined {
  const isHex = ((bytes[start] ?? 0) | 0x20) === LOWER_X;
  const digits = asciiIn(bytes, isHex ? start + 1 : start, end);
  const isSound = isHex ? /^[\da-f]+$/i.test(digits) : /^\d+$/.test(digits);
  return isSound ? Number.parseInt(digits, isHex ? 16 : 10) : undefined;
}

function asciiIn(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index] ?? 0);
  return text;
}
