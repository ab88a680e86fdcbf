import { STEMMED_LANGUAGES, stem } from "@yagate/lib/language/stem";
import { type Token, tokenize } from "@yagate/lib/language/tokenize";
import { detectLanguage } from "../../../language/detect-language.ts";
import type { LocalDocument } from "../documents/document-file.ts";
import { type Passage, splitPassages } from "../documents/passages.ts";

/** A passage with its terms in order, joined by spaces. */
export interface IndexedPassage extends Passage {
  readonly terms: string;
}

/** The unit of ranking: several passages of a long document, or all passages of a short one. */
export interface IndexedUnit {
  readonly headingTerms: string;
  readonly passages: readonly IndexedPassage[];
}

/** The terms and texts of a document that are indexed. */
export interface IndexedDocument {
  readonly document: LocalDocument;
  /** The language whose stemmer produced the terms. */
  readonly stems: string;
  readonly titleTerms: string;
  readonly units: readonly IndexedUnit[];
}

/** The stemmer for names, code and tables, whose language is unknown. */
const DEFAULT_STEMS = "en";
/** Maximum number of indexed passages per document. The rest of a longer document is not indexed. */
const MAX_PASSAGES = 10_000;
/** Number of passages in a unit: about 8 KB of text. Longer units contain so many words that matches mean little. */
const UNIT_PASSAGES = 8;

/** Extracts the terms of a document. */
export function readDocumentTerms(path: string, document: LocalDocument): IndexedDocument {
  const passages = splitPassages(document.text).slice(0, MAX_PASSAGES);
  const bodies = passages.map(({ text }) => tokenize(text));
  const stems = stemsOf(document.language) ?? detectLanguage(`${document.title}\n${document.text}`) ?? DEFAULT_STEMS;
  const join = (tokens: readonly Token[]) => tokens.map(({ term }) => stem(term, stems)).join(" ");
  // The names of the file and its folders are part of the topic, too.
  const place = join(tokenize(path.replace(/\.[^./]+$/, "")));
  const units: IndexedUnit[] = [];
  for (let first = 0; first < passages.length; first += UNIT_PASSAGES) {
    const part = passages.slice(first, first + UNIT_PASSAGES);
    const headings = [...new Set(part.map(({ heading }) => heading))].filter((heading) => heading !== "");
    units.push({
      headingTerms: [...headings.map((heading) => join(tokenize(heading))), place].join(" "),
      passages: part.map((passage, index) => ({ ...passage, terms: join(bodies[first + index] ?? []) })),
    });
  }
  return { document, stems, titleTerms: join(tokenize(document.title)), units };
}

/** Returns the language of the stemmer for a stated language; undefined if there is no stemmer for it. */
function stemsOf(language: string | undefined): string | undefined {
  const code = language?.slice(0, 2).toLowerCase();
  return code !== undefined && STEMMED_LANGUAGES.has(code) ? code : undefined;
}
