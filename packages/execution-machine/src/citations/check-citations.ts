import { defined } from "@yagate/lib/objects/defined";
import { cutText } from "@yagate/lib/text/cut-text";
import type { Citation } from "@yagate/protocol";
import type { ExecutionState } from "../state.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";

/** Maximum number of citations of one answer. */
const MAX_CITATIONS = 100;
/** Maximum length of a passage, in characters. */
const MAX_PASSAGE_CHARACTERS = 500;
/** Length of the text before a mark that decides which passage it cites, in characters. */
const CONTEXT_CHARACTERS = 300;

const MARKS = /\[(\d{1,3})\]|\b(art_[0-9a-z]{10,40})\b|\b((?:https?|local):\/\/[^\s<>"“”‘’()[\]{}]+)/g;

/** The citations of an answer, and the numbers that it cites although no result contains them. */
export interface CheckedCitations {
  readonly citations: readonly Citation[];
  readonly unknown: readonly number[];
}

/**
 * Compares the citations of an answer with what the execution has found. An answer cites a source by its number, such as
 * `[1]`, its URL, or the id of an artifact. What the model's provider reports as a source of the last reply counts as
 * cited. Passages are compared by their words only; whether they support the answer is not judged.
 */
export function checkCitations(answer: string, state: Pick<ExecutionState, "turns">): CheckedCitations {
  const evidence = evidenceOf(state);
  const found = new Map<string, Citation>();
  const unknown = new Set<number>();
  const add = (source: Evidence, context: string) => {
    const citation = toCitation(source, context);
    const key = JSON.stringify([source.id, source.url, source.artifactId, citation.passage]);
    if (found.size < MAX_CITATIONS && !found.has(key)) found.set(key, citation);
  };
  for (const { index, 0: mark, 1: number, 2: artifactId, 3: url } of answer.matchAll(MARKS)) {
    const context = answer.slice(Math.max(0, index - CONTEXT_CHARACTERS), index);
    const cited = evidence.filter(
      (source) =>
        (number !== undefined && source.id === Number(number)) ||
        (artifactId !== undefined && source.artifactId === artifactId) ||
        (url !== undefined && source.url !== undefined && isSamePage(source.url, url)),
    );
    const best = cited.toSorted((left, right) => overlap(right, context) - overlap(left, context))[0];
    if (best !== undefined) add(best, context);
    else if (number !== undefined) unknown.add(Number(mark.slice(1, -1)));
  }
  const grounding = state.turns.at(-1)?.sources ?? [];
  for (const { url, title } of grounding) add({ url, title, passages: [] }, "");
  return { citations: [...found.values()], unknown: [...unknown] };
}

function toCitation(source: Evidence, context: string): Citation {
  const { id, url, artifactId, title } = source;
  const passage = passageFor(source, context);
  return defined({ id, url, artifactId, title, passage: passage && cutText(passage, MAX_PASSAGE_CHARACTERS) });
}

/** Returns the passage that shares most words with the text before the mark; the first one if none shares any. */
function passageFor({ passages }: Evidence, context: string): string | undefined {
  const words = wordsOf(context);
  return passages.toSorted((left, right) => shared(right, words) - shared(left, words))[0];
}

function overlap({ passages }: Evidence, context: string): number {
  const words = wordsOf(context);
  return Math.max(0, ...passages.map((passage) => shared(passage, words)));
}

function shared(passage: string, words: ReadonlySet<string>): number {
  let count = 0;
  for (const word of wordsOf(passage)) if (words.has(word)) count += 1;
  return count;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));
}

/** Compares URLs without their fragments, a slash at the end, and punctuation that follows them in a sentence. */
function isSamePage(known: string, written: string): boolean {
  const page = pageOf(known);
  return page === pageOf(written) || page === pageOf(written.replace(/[.,;:!?]+$/, ""));
}

function pageOf(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = "";
  return url.href.replace(/\/$/, "");
}

/** Returns what the model is asked if its answer cites nothing that the execution has found. */
export function citationRequest(state: Pick<ExecutionState, "turns">, unknown: readonly number[]): string {
  const numbers = new Set(evidenceOf(state).flatMap(({ id }) => id ?? []));
  // Titles and URLs were written by others, so they do not belong into an instruction.
  const known = [...numbers].toSorted((left, right) => left - right).map((number) => `[${number}]`);
  return [
    "Your answer does not cite a source that the tools of this conversation have found, and it must.",
    ...(unknown.length === 0 ? [] : [`No result has the number ${unknown.map((one) => `[${one}]`).join(", ")}.`]),
    known.length === 0
      ? "No numbered source was found: search first."
      : `These numbered sources were found: ${known.join(", ")}.`,
    "Answer again, and after each claim write the number of its source, such as [1], its URL, or the id of the artifact. If nothing supports a claim, leave it out.",
  ].join(" ");
}
