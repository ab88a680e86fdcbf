import { detectLanguage } from "../../../language/detect-language.ts";
import type { LocalDocument } from "../documents/document-file.ts";
import { type Passage, splitPassages } from "../documents/passages.ts";
import { STEMMED_LANGUAGES, stem } from "../language/stem.ts";
import { type Token, tokenize } from "../language/tokenize.ts";

/** A passage with its terms in their order, joined by spaces. */
export interface IndexedPassage extends Passage {
  readonly terms: string;
}

/** What is ranked: some passages of a document, of a short one all. */
export interface IndexedUnit {
  readonly headingTerms: string;
  readonly passages: readonly IndexedPassage[];
}

/** All of a document that is put into the index. */
export interface IndexedDocument {
  readonly document: LocalDocument;
  /** The language whose stems its terms are. */
  readonly stems: string;
  readonly titleTerms: string;
  readonly units: readonly IndexedUnit[];
}

/** Of names, code and tables, whose language nothing tells. */
const DEFAULT_STEMS = "en";
/** What one document may put into the index: a longer one is found by its beginning. */
const MAX_PASSAGES = 10_000;
/** About 8 KB of text: in a longer one all words are, and which of them belong together can't be told any more. */
const UNIT_PASSAGES = 8;

/** Reads the terms of a document. */
export function readDocumentTerms(path: string, document: LocalDocument): IndexedDocument {
  const passages = splitPassages(document.text).slice(0, MAX_PASSAGES);
  const bodies = passages.map(({ text }) => tokenize(text));
  const stems = stemsOf(document.language) ?? detectLanguage(`${document.title}\n${document.text}`) ?? DEFAULT_STEMS;
  const join = (tokens: readonly Token[]) => tokens.map(({ term }) => stem(term, stems)).join(" ");
  // The names of folders say what a document is about, too.
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

/** The language of its stems, where a document names it. */
function stemsOf(language: string | undefined): string | undefined {
  const code = language?.slice(0, 2).toLowerCase();
  return code !== undefined && STEMMED_LANGUAGES.has(code) ? code : undefined;
}
