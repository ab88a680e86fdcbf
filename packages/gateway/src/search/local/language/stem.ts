import snowball, { type Stemmer } from "snowball-stemmers";

/** The Snowball algorithm of each language that has one. */
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

const MOST_REMEMBERED = 50_000;
const stemmers = new Map<string, Stemmer>();
const remembered = new Map<string, Map<string, string>>();

/**
 * What the inflections of a word share, by the Snowball stemmer of its language.
 *
 * @param word - folded.
 * @param language - a two-letter code; for one without a stemmer the word stays as it is.
 */
export function stem(word: string, language: string): string {
  let known = remembered.get(language);
  const form = known?.get(word);
  if (form !== undefined) return form;
  if (known === undefined || known.size > MOST_REMEMBERED) {
    known = new Map();
    remembered.set(language, known);
  }
  const made = stemmerOf(language)?.stem(word) ?? word;
  known.set(word, made);
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
