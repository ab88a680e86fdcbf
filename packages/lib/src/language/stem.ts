// The library has no types; a program that imports this file alone finds them here.
/// <reference path="./snowball-stemmers.d.ts" />
import { LRUCache } from "lru-cache";
import snowball, { type Stemmer } from "snowball-stemmers";

/** The Snowball algorithm for each language. */
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

/** The languages that have a stemmer. */
export const STEMMED_LANGUAGES: ReadonlySet<string> = new Set(ALGORITHMS.keys());

const stemmers = new Map<string, Stemmer>();
const remembered = new LRUCache<string, string>({ max: 50_000 });

/**
 * Returns the stem of a word by the Snowball stemmer of its language.
 *
 * @param word - a folded word.
 * @param language - a two-letter code; if it has no stemmer, the word stays unchanged.
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
