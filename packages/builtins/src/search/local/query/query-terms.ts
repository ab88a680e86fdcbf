import { stem } from "@yagate/lib/language/stem";
import { isStopWord } from "@yagate/lib/language/stop-words";
import { type Token, tokenize } from "@yagate/lib/language/tokenize";
import { detectLanguage } from "../../../language/detect-language.ts";
import { correctTerm } from "./correct-term.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** One word of a query, in all forms that the index may contain. */
export interface QueryTerm {
  /** The terms in the index, at least one. */
  readonly forms: readonly string[];
  /** Upper bound for the number of documents that contain any of the forms. */
  readonly documents: number;
  /** The weight, which is higher for rare words and lower for corrected ones. */
  readonly weight: number;
}

/** Maximum length of a query. The rest of a longer query is ignored. */
const MAX_QUERY_CHARACTERS = 2_000;
const MAX_TERMS = 32;
const MIN_PREFIX_LENGTH = 3;
const GUESSED_WEIGHT = 0.6;
/** The language assumed for a query whose language is neither stated nor detected. */
const DEFAULT_LANGUAGE = "en";

/**
 * Returns the words of a query that the index contains, in order. An unknown word is replaced by its likely
 * corrections. Stop words count only if there are no other words.
 *
 * @param language - the language of the query, if it was specified.
 */
export function readQueryTerms(
  text: string,
  language: string | undefined,
  vocabulary: Vocabulary,
): readonly QueryTerm[] {
  const tokens = tokenize(text.slice(0, MAX_QUERY_CHARACTERS));
  const spoken = language?.slice(0, 2).toLowerCase() ?? detectLanguage(text) ?? DEFAULT_LANGUAGE;
  const telling = tokens.filter(({ term }) => !isStopWord(term, [spoken]));
  const wanted = telling.length > 0 ? telling : tokens;
  const languages = [...new Set([spoken, ...vocabulary.languages()])];
  const terms = new Map<string, QueryTerm>();
  for (const [index, token] of wanted.entries()) {
    if (terms.size === MAX_TERMS) break;
    const term = termOf(token, languages, vocabulary, index === wanted.length - 1);
    if (term !== undefined && !terms.has(term.forms.join(" "))) terms.set(term.forms.join(" "), term);
  }
  return [...terms.values()];
}

function termOf(
  { term }: Token,
  languages: readonly string[],
  vocabulary: Vocabulary,
  isLast: boolean,
): QueryTerm | undefined {
  const forms = [...new Set([term, ...languages.map((language) => stem(term, language))])];
  const counted = forms.map((form) => ({ form, documents: vocabulary.countDocuments(form) }));
  const found = counted.filter(({ documents }) => documents > 0);
  if (found.length > 0) return weigh(found, vocabulary, 1);
  if (isLast && term.length >= MIN_PREFIX_LENGTH) {
    // The last word may be incomplete.
    const longer = vocabulary.startingWith(term);
    if (longer.length > 0) return weigh(longer, vocabulary, GUESSED_WEIGHT);
  }
  const meant = correctTerm(forms, vocabulary);
  return meant.length > 0 ? weigh(meant, vocabulary, GUESSED_WEIGHT) : undefined;
}

function weigh(
  found: readonly { readonly form: string; readonly documents: number }[],
  vocabulary: Vocabulary,
  factor: number,
): QueryTerm {
  const total = vocabulary.units();
  const documents = Math.min(
    total,
    found.reduce((sum, one) => sum + one.documents, 0),
  );
  const weight = factor * Math.log(1 + (total - documents + 0.5) / (documents + 0.5));
  return { forms: found.map(({ form }) => form), documents, weight };
}
