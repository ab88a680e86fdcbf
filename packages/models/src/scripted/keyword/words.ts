/** A word, number or punctuation mark of a text with its position. */
export interface Token {
  readonly text: string;
  /** The stem for comparisons; empty for tokens that are not words. */
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

/** Splits text at white space, and strips punctuation from both ends of each token. */
export function readTokens(text: string): readonly Token[] {
  return [...text.matchAll(/\S+/g)].flatMap((match) => {
    const [, before = "", word = ""] = /^([^\p{L}\p{N}#]*)(.*?)[^\p{L}\p{N}]*$/u.exec(match[0]) ?? [];
    if (word === "") return [];
    const start = match.index + before.length;
    return [{ text: word, stem: /^\p{L}+$/u.test(word) ? stem(word) : "", start, end: start + word.length }];
  });
}

/** The stems of a name in snake_case, kebab-case or camelCase. */
export function stemsOfName(name: string): readonly string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}+/gu) ?? []).map(stem);
}

/** `titled` and `title`, `orders` and `order`, `shipping` and `ship` share one stem. */
function stem(word: string): string {
  const form = word.toLowerCase();
  return form.length <= 4 ? form : form.replace(/(?:ings?|ed|er?s?|s)$/, "").replace(/([^aeiou])\1$/, "$1");
}
