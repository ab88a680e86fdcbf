import { estimateTokens } from "@yagate/lib/text/token-estimate";
import type { AskModel } from "../../ask-model.ts";
import { toChunks } from "../chunks.ts";
import { type Passage, toPassages } from "../passages.ts";
import type { SummaryRequest } from "../summary-request.ts";
import { type KeyPoint, toKeyPoint, withKnownCitations } from "./cited-points.ts";
import { inParallel } from "./in-parallel.ts";
import {
  condenseInstructions,
  finalInstructions,
  framed,
  MAX_NOTES,
  type Note,
  partInstructions,
  passageLine,
  wholeInstructions,
} from "./prompts.ts";
import { readFinalReply, readNotesReply, UnreadableReplyError } from "./read-reply.ts";

/** Tokens of text per request: `usual`, or up to `most` if a longer text would otherwise require too many requests. */
const CHUNK_TOKENS = { usual: 12_000, most: 60_000 } as const;
const MAX_OUTPUT_TOKENS = 4_000;
const AT_ONCE = 4;

/** Thrown if a text is too long for the allowed number of model requests. */
export class TooManyQuestionsError extends Error {
  override readonly name = "TooManyQuestionsError";
}

export interface ModelSummary {
  readonly summary: string;
  readonly keyPoints: readonly KeyPoint[];
  /** Number of passages in the text. The model has read all of them. */
  readonly passageCount: number;
  readonly questionCount: number;
  /** Number of removed citations of passages that the model was not shown. */
  readonly unknownCitations: number;
}

export interface ModelSummaryOptions {
  readonly askModel: AskModel;
  readonly maxQuestions: number;
  /** ms since the epoch. */
  readonly deadline: number;
  readonly now: () => number;
  /** Determines the marks around data, so it must stay secret from the authors of the text. */
  readonly seed: string;
}

/**
 * Summarises a text with a model. A short text takes one request. A longer text is split: the model takes notes on each
 * part, condenses them until they fit into one request, and writes the summary from them.
 *
 * @throws AskModelError, UnreadableReplyError, TooManyQuestionsError.
 */
export async function summarizeWithModel(
  text: string,
  request: SummaryRequest,
  options: ModelSummaryOptions,
): Promise<ModelSummary> {
  const passages = toPassages(text);
  const questions = new Questions(options);
  const chunks = toChunks(passages, chunkTokens(text, options.maxQuestions));
  const needed = chunks.length === 1 ? 1 : chunks.length + 1;
  if (needed > options.maxQuestions) {
    const most = options.maxQuestions;
    throw new TooManyQuestionsError(`the text needs at least ${needed} model requests; at most ${most} are allowed`);
  }
  const shown = new Set(passages.map(({ number }) => number));
  if (chunks.length === 1) {
    const draft = await questions.ask(wholeInstructions(request), passages.map(passageLine), readFinalReply);
    return finished(draft.summary, questions.checked(draft.keyPoints, shown));
  }
  const parts = chunks.length;
  const taken = await inParallel(chunks, AT_ONCE, async (chunk, index) => {
    const instructions = partInstructions(request, { part: index + 1, parts });
    const notes = await questions.ask(instructions, chunk.map(passageLine), readNotesReply);
    return questions.checked(notes.slice(0, MAX_NOTES), numbersOf(chunk));
  });
  const notes = await condensed(taken.flat(), request, questions);
  if (notes.length === 0) throw new UnreadableReplyError("the model took no notes on the text");
  const draft = await questions.ask(finalInstructions(request), notes, readFinalReply);
  return finished(draft.summary, questions.checked(draft.keyPoints, citedIn(notes)));

  function finished(summary: string, points: readonly Note[]): ModelSummary {
    return {
      summary,
      keyPoints: points.slice(0, request.keyPoints).map((point) => toKeyPoint(point, passages)),
      passageCount: passages.length,
      questionCount: questions.count,
      unknownCitations: questions.unknownCitations,
    };
  }
}

/** Condenses notes level by level, until all of them fit into one request. */
async function condensed(
  notes: readonly Note[],
  request: SummaryRequest,
  questions: Questions,
): Promise<readonly Note[]> {
  let level = notes;
  for (;;) {
    const groups = toChunks(level, CHUNK_TOKENS.usual);
    if (groups.length <= 1) return level;
    const next = await inParallel(groups, AT_ONCE, async (group) => {
      const fewer = await questions.ask(condenseInstructions(request), group, readNotesReply);
      return questions.checked(fewer.slice(0, MAX_NOTES), citedIn(group));
    });
    // If the model condensed nothing, the loop would never end.
    if (next.flat().length >= level.length) throw new UnreadableReplyError("the model did not condense its notes");
    level = next.flat();
  }
}

function chunkTokens(text: string, maxQuestions: number): number {
  const parts = Math.max(1, Math.floor(maxQuestions * 0.75));
  const needed = Math.ceil((estimateTokens(text) * 1.1) / parts);
  return Math.min(CHUNK_TOKENS.most, Math.max(CHUNK_TOKENS.usual, needed));
}

function numbersOf(passages: readonly Passage[]): ReadonlySet<number> {
  return new Set(passages.map(({ number }) => number));
}

function citedIn(notes: readonly Note[]): ReadonlySet<number> {
  return new Set(notes.flatMap(({ passages }) => passages));
}

/**
 * Sends requests to the model, within limits on number and time. If a reply cannot be parsed, the request is repeated.
 */
class Questions {
  count = 0;
  unknownCitations = 0;
  readonly #options: ModelSummaryOptions;

  constructor(options: ModelSummaryOptions) {
    this.#options = options;
  }

  async ask<Answer>(instructions: string, lines: readonly object[], read: (text: string) => Answer): Promise<Answer> {
    const text = framed(lines, this.#options.seed);
    try {
      return read(await this.#reply(instructions, text));
    } catch (error) {
      if (!(error instanceof UnreadableReplyError)) throw error;
      const again = `${instructions}\nAn earlier reply could not be parsed as such an object. Keep exactly to the form.`;
      return read(await this.#reply(again, text));
    }
  }

  checked(notes: readonly Note[], shown: ReadonlySet<number>): readonly Note[] {
    const { notes: kept, unknown } = withKnownCitations(notes, shown);
    this.unknownCitations += unknown;
    return kept;
  }

  async #reply(instructions: string, text: string): Promise<string> {
    const { askModel, maxQuestions, deadline, now } = this.#options;
    if (this.count >= maxQuestions) {
      throw new TooManyQuestionsError(`the summary needs more than ${maxQuestions} model requests`);
    }
    this.count += 1;
    const timeoutMs = Math.max(1, deadline - now());
    const reply = await askModel({ instructions, text, maxOutputTokens: MAX_OUTPUT_TOKENS, timeoutMs });
    return reply.text;
  }
}
