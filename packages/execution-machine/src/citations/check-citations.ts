import { defined } from "@yagate/lib/objects/defined";
import { cutText } from "@yagate/lib/text/cut-text";
import type { Citation } from "@yagate/protocol";
import type { ExecutionState } from "../state.ts";
import { evidenceOf, toEvidence } from "./evidence.ts";
import { createEvidenceIndex, type Found } from "./evidence-index.ts";

/** Maximum number of citations of one answer. */
const MAX_CITATIONS = 100;
/** Maximum length of all citations of one answer together, in characters of JSON. */
const MAX_CHARACTERS = 65_536;
/** Maximum number of marks that are compared with the passages of the sources that they cite. */
const MAX_MARKS = 200;
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
 * Compares the citations of an answer with what the execution has found. An answer cites a source by its number, such
 * as `[1]`, its URL, or the id of an artifact. What the model's provider reports as a source of the last reply counts
 * as cited. Passages are compared by their words only; whether they support the answer is not judged.
 */
export function checkCitations(answer: string, state: Pick<ExecutionState, "turns">): CheckedCitations {
  const index = createEvidenceIndex(evidenceOf(state));
  const found = new Map<string, Citation>();
  const unknown = new Set<number>();
  let characters = 0;
  const add = (evidence: Found) => {
    const citation = toCitation(evidence);
    const { id, url, artifactId, passage } = citation;
    const key = JSON.stringify([id, url, artifactId, passage]);
    const { length } = JSON.stringify(citation);
    if (found.has(key) || found.size >= MAX_CITATIONS || characters + length > MAX_CHARACTERS) return;
    found.set(key, citation);
    characters += length;
  };
  let compared = 0;
  for (const { index: start, 1: number, 2: artifactId, 3: url } of answer.matchAll(MARKS)) {
    const candidates = index.candidatesOf({ number, artifactId, url });
    if (candidates.length === 0) {
      if (number !== undefined) unknown.add(Number(number));
      continue;
    }
    compared += 1;
    if (compared > MAX_MARKS) break;
    const best = index.closestTo(answer.slice(Math.max(0, start - CONTEXT_CHARACTERS), start), candidates);
    if (best !== undefined) add(best);
  }
  for (const source of state.turns.at(-1)?.sources ?? []) {
    const grounding = toEvidence(source);
    if (grounding.url !== undefined) add({ source: grounding });
  }
  return { citations: [...found.values()], unknown: [...unknown] };
}

function toCitation({ source: { id, url, artifactId, title }, passage }: Found): Citation {
  return defined({ id, url, artifactId, title, passage: passage && cutText(passage, MAX_PASSAGE_CHARACTERS) });
}

/** Returns whether an answer can cite a source by this number, because {@link MARKS} matches it. */
function isCitable(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && id <= 999;
}

/** Returns what the model is asked if its reply cites nothing that the execution has found. */
export function citationRequest(state: Pick<ExecutionState, "turns">, unknown: readonly number[]): string {
  const numbers = new Set(evidenceOf(state).flatMap(({ id }) => (id !== undefined && isCitable(id) ? id : [])));
  // Titles and URLs were written by others, so they do not belong into an instruction.
  const known = [...numbers].toSorted((left, right) => left - right).map((number) => `[${number}]`);
  return [
    "Your answer must cite a source that the tools in this conversation have found, but it cites none.",
    ...(unknown.length === 0 ? [] : [`No result has the number ${unknown.map((one) => `[${one}]`).join(", ")}.`]),
    known.length === 0
      ? "No numbered source was found: search first."
      : `These numbered sources were found: ${known.join(", ")}.`,
    "Answer again, and after each claim write the number of its source, such as [1], its URL, or the id of the artifact. If nothing supports a claim, leave it out.",
  ].join(" ");
}
