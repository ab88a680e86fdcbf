// The library has no types; a program that imports this file alone finds them here.
/// <reference path="./snowball-stemmers.d.ts" />
import { LRUCache } from "lru-cache";
import snowball, { type Stemmer } from "snowball-stemmers";

/** The Snowball algorithm by language. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ar: "arabic",
    ca: "catalan",
    cs: "czech",
    da: "danish",
    de: "german",
    en: "english",
    es: "spanish",
    fi: "finnish",
    fr: "french",
    hu: "hungarian",
    it: "italian",
    nl: "dutch",
    no: "norwegian",
    pt: "portuguese",
    ro: "romanian",
    ru: "russian",
    sv: "swedish",
    tr: "turkish",
  }),
);

/** Languages with a stemmer. */
export const STEMMED_LANGUAGES: ReadonlySet<string> = new Set(ALGORITHMS.keys());

const stemmers = new Map<string, Stemmer>();
const remembered = new LRUCache<string, string>({ max: 50_000 });

/**
 * The stem of a word by the Snowball stemmer of its language.
 *
 * @param word - folded.
 * @param language - a two-letter code; without a stemmer for it, the word stays unchanged.
 */
export function stem(word: string, language: string): string {
  const key = `${language} ${word}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const made = stemmerOf(language)?.stem(word) ?? word;
  remembered.set(key, made);
  return made;
}

function stemmerOf(language: string): Stemmer | undefined {
  const known = stemmers.get(language);
  const algorithm = ALGORITHMS.get(language);
  if (known !== undefined || algorithm === undefined) return known;
  const made = snowball.newStemmer(algorithm);
  stemmers.set(language, made);
  return made;
}
