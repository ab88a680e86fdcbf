import { stem } from "@yagate/lib/language/stem";
import { type Token, tokenize } from "@yagate/lib/language/tokenize";
import { anyOf } from "./vocabulary.ts";

/**
 * Creates a match expression for excluded terms. It covers each word or phrase in every form that the index may
 * contain, in titles and texts. Returns `undefined` if nothing is excluded.
 *
 * @param languages - the languages of the stemmers that produced the terms.
 */
export function excludedMatch(excluded: readonly string[], languages: readonly string[]): string | undefined {
  const phrases = excluded.flatMap((term) => {
    const tokens = term.split(/\s+/).flatMap(tokensOf);
    if (tokens.length === 0) return [];
    const stemmed = languages.map((language) => tokens.map((token) => stem(token.term, language)).join(" "));
    return [tokens.map((token) => token.term).join(" "), ...stemmed];
  });
  return phrases.length === 0 ? undefined : `{title body} : (${anyOf([...new Set(phrases)])})`;
}

/**
 * Returns the tokens of a word. For a hyphenated word, returns only the complete word, which the index contains for
 * every spelling.
 */
function tokensOf(word: string): readonly Token[] {
  const tokens = tokenize(word);
  const [start = 0, end = 0] = [tokens[0]?.start, tokens.at(-1)?.end];
  const whole = tokens.find((token) => token.start === start && token.end === end);
  return whole === undefined ? tokens : [whole];
}
