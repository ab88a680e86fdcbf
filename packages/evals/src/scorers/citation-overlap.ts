import { contentWords } from "./content-words.ts";
import type { Passage } from "./evidence.ts";

/** The share of a claim's words that a passage must contain. */
const LEAST_COVERAGE = 0.6;
/** Sentences with fewer words, such as “Yes.”, claim nothing that can be looked up. */
const LEAST_WORDS = 3;

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });
const MARKERS = /\[(\d{1,3})\]/g;
const LEADING_MARKERS = /^\s*(?:\[\d{1,3}\][\s.,;]*)+/;

/** The claims of an answer, and those that their passages do not support. */
export interface CitationOverlap {
  readonly claims: number;
  readonly unsupported: readonly string[];
}

/**
 * Compares the claims of an answer with the passages that it cites, word by word. A claim is a sentence of three words
 * or more. A passage supports it if it contains 60% of the claim's words, and all of its numbers, names and
 * quotations. With markers such as `[1]`, a claim is compared with the passages of its own markers, or of the next ones
 * in its paragraph; without markers in the answer, with all passages. This finds missing support, but does not judge
 * meaning: a negated sentence has the same words.
 */
export function citationOverlap(answer: string, passages: readonly Passage[]): CitationOverlap {
  const hasMarkers = passages.some(({ id }) => id !== undefined) && /\[\d{1,3}\]/.test(answer);
  const prepared = passages.map(({ id, text }) => ({ id, ...prepare(text) }));
  const claims = answer.split(/\n\s*\n/).flatMap(claimsIn);
  const unsupported = claims.filter(({ text, ids }) => {
    const cited = hasMarkers ? prepared.filter(({ id }) => id !== undefined && ids.includes(id)) : prepared;
    return !cited.some((passage) => supports(passage, text));
  });
  return { claims: claims.length, unsupported: unsupported.map(({ text }) => text) };
}

interface Claim {
  readonly text: string;
  readonly ids: readonly number[];
}

function claimsIn(paragraph: string): readonly Claim[] {
  const sentences: { text: string; ids: number[] }[] = [];
  for (const { segment } of SENTENCES.segment(paragraph)) {
    const leading = LEADING_MARKERS.exec(segment)?.[0] ?? "";
    // A marker after the full stop belongs to the sentence before it.
    sentences.at(-1)?.ids.push(...idsIn(leading));
    const rest = sentences.length > 0 ? segment.slice(leading.length) : segment;
    const text = rest.replace(MARKERS, "").replace(/\s+/g, " ").trim();
    if (text !== "") sentences.push({ text, ids: idsIn(rest) });
  }
  let next: readonly number[] = [];
  for (const sentence of sentences.toReversed()) {
    if (sentence.ids.length === 0) sentence.ids.push(...next);
    next = sentence.ids;
  }
  return sentences.filter(({ text }) => contentWords(text).length >= LEAST_WORDS);
}

function idsIn(text: string): number[] {
  return [...text.matchAll(MARKERS)].map((match) => Number(match[1]));
}

interface PreparedText {
  readonly words: ReadonlySet<string>;
  /** The text in lower case with single spaces, for names, numbers and quotations. */
  readonly plain: string;
  readonly numbers: ReadonlySet<string>;
}

function prepare(text: string): PreparedText {
  return { words: new Set(contentWords(text)), plain: plainText(text), numbers: new Set(numbersIn(text)) };
}

function supports(passage: PreparedText, claim: string): boolean {
  const words = contentWords(claim);
  const covered = words.filter((word) => passage.words.has(word)).length;
  return (
    covered >= words.length * LEAST_COVERAGE &&
    numbersIn(claim).every((number) => passage.numbers.has(number)) &&
    [...namesIn(claim), ...quotationsIn(claim)].every((text) => passage.plain.includes(plainText(text)))
  );
}

function numbersIn(text: string): readonly string[] {
  const found = text.match(/\d+(?:[.,]\d+)*/g) ?? [];
  return found.map((number) => number.replaceAll(",", ""));
}

/** Returns the words in capitals, without the first word of the sentence. */
function namesIn(claim: string): readonly string[] {
  const [, ...words] = claim.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  return words.filter((word) => /^\p{Lu}\p{Ll}/u.test(word)).map((word) => word.replace(/['’]s$/, ""));
}

function quotationsIn(claim: string): readonly string[] {
  return [...claim.matchAll(/[“"]([^”"]{3,})[”"]/g)].map((match) => match[1] ?? "");
}

function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[\s.,;:!?]+$/, "")
    .replace(/\s+/g, " ")
    .trim();
}
