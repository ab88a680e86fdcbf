/** A word, number or identifier, without surrounding punctuation, with its position in the text. */
export interface Token {
  readonly text: string;
  /** The stem for comparisons; empty if the token is not a word. */
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

/** Returns the stems of the words in a snake_case, kebab-case or camelCase name. */
export function stemsOfName(name: string): readonly string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}+/gu) ?? []).map(stem);
}

/** Returns the stem of a word. `titled` and `title`, `orders` and `order`, and `shipping` and `ship` share a stem. */
function stem(word: string): string {
  const form = word.toLowerCase();
  return form.length <= 4 ? form : form.replace(/(?:ings?|ed|er?s?|s)$/, "").replace(/([^aeiou])\1$/, "$1");
}
