/** Letters that decomposition does not change, and their usual replacements. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["ł", "l"],
  ["þ", "th"],
  ["ı", "i"],
  ["ς", "σ"],
  ["ё", "е"],
]);
const PLAIN = new RegExp(`[${[...PLAIN_LETTERS.keys()].join("")}]`, "g");
// In other scripts, marks are separate letters: a Devanagari vowel, a Thai tone, or the breve of the Cyrillic й.
const MARKED = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins there.
const ASCII = /^[\x00-\x7f]*$/;
/** Arabic vowel points and the tatweel, and Hebrew points, all of which are optional in writing. */
const OPTIONAL_MARKS = /[\u064b-\u065f\u0670\u0640\u0591-\u05c7]/g;

/**
 * Normalises a word. Spellings become equal if they differ only in case, in the width or composition of characters, or
 * in the accents of Latin and Greek letters.
 */
export function fold(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  const lower = word
    .normalize("NFKC")
    .toLowerCase()
    .replace(PLAIN, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
  return lower.normalize("NFD").replace(MARKED, "$1").replace(OPTIONAL_MARKS, "").normalize("NFC");
}
