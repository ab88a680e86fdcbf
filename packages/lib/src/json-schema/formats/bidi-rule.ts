/** Right-to-left characters. Persian digits are not included, because they count as left-to-right. */
const RIGHT_TO_LEFT =
  /(?![\u06f0-\u06f9])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;
const ARABIC_DIGIT = /[\u0660-\u0669]/;
const OTHER_DIGIT = /[0-9\u06f0-\u06f9]/;
const MARKS_AT_END = /\p{Mn}+$/u;

/** Checks whether labels may occur together in a host name that has right-to-left labels (RFC 5893, section 2). */
export function obeysBidiRule(labels: readonly string[]): boolean {
  return !labels.some((label) => RIGHT_TO_LEFT.test(label)) || labels.every(isBidiLabel);
}

function isBidiLabel(label: string): boolean {
  const characters = [...label.replace(MARKS_AT_END, "")];
  const [first = ""] = characters;
  const last = characters.at(-1) ?? "";
  const isDigit = (character: string) => ARABIC_DIGIT.test(character) || OTHER_DIGIT.test(character);
  if (!RIGHT_TO_LEFT.test(first) || isDigit(first)) {
    const isLeftToRight = /\p{L}/u.test(first) && !RIGHT_TO_LEFT.test(label) && !ARABIC_DIGIT.test(label);
    return isLeftToRight && (/\p{L}/u.test(last) || OTHER_DIGIT.test(last));
  }
  if (ARABIC_DIGIT.test(label) && OTHER_DIGIT.test(label)) return false;
  return characters.every((one) => !/\p{L}/u.test(one) || RIGHT_TO_LEFT.test(one)) && last !== "-";
}
