const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Matches a run of combining marks. Some characters become marks only after normalisation. */
const MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
/** Maximum factor by which normalisation may lengthen a text. Some characters decompose into many: U+FDFA into 18. */
const MAX_GROWTH = 2;
const MIN_CHARACTERS = 200;

/** Stop words, which occur in almost every text of their language. */
const STOP_WORDS = new Set(
  (
    "a an and are as at be by can do does did for from had has have how i in is it its me my not of on or our that the " +
    "their they this to was we were what when where which who why will with you your about " +
    "der die das den dem des ein eine einen einem einer und oder ist sind war im zu zum zur von vom mit auf fur wie was " +
    "wer wo wann warum nicht le la les un une des du de et ou est sont dans pour sur avec que qui quoi comment el los las " +
    "una y en es por con como se del al lo"
  ).split(" "),
);

/**
 * Returns the terms of a text in order, in lower case and without accents or English plural endings. In scripts without
 * spaces between words, each pair of characters is a term.
 */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  for (const [word] of normalised(text).matchAll(WORD)) {
    if (UNSPACED.test(word)) terms.push(...pairsOf(word));
    else {
      // In other scripts, combining marks are letters.
      const plain = word
        .normalize("NFD")
        .replace(/[\u0300-\u036f]+/g, "")
        .normalize("NFC");
      if (plain !== "") terms.push(singular(plain));
    }
  }
  return terms;
}

/** Returns the distinct terms of a query without stop words, or all terms if there are only stop words. */
export function queryTermsOf(query: string): readonly string[] {
  const terms = [...new Set(termsOf(query))];
  const telling = terms.filter((term) => !STOP_WORDS.has(term));
  return telling.length === 0 ? terms : telling;
}

/**
 * Normalises a text. Long runs of marks are cut, as in the stream-safe format of Unicode, because sorting them takes
 * quadratic time.
 */
function normalised(text: string): string {
  const most = Math.max(MIN_CHARACTERS, text.length * MAX_GROWTH);
  return text.replace(MARKS, "$1").normalize("NFKC").slice(0, most).toLowerCase();
}

function pairsOf(word: string): readonly string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  return word.endsWith("ies") && word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}
