import { defined } from "@yagate/lib/objects/defined";
import { createWorkerPool } from "@yagate/lib/workers/worker-pool";
import { YagateError } from "@yagate/protocol";
import { EXTRACTIVE_LIMITS, type ExtractiveRequest, type ExtractiveSummary } from "./extractive-summary.ts";

export type { ExtractiveRequest, ExtractiveSummary } from "./extractive-summary.ts";

/** Limits on one summary. */
export interface ExtractiveOptions {
  /** Time limit in ms, counted from the start of the job. */
  readonly timeoutMs: number;
  /** The group for fair queueing, such as a workspace. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

/** Extracts the first sentences of a text. It uses no model and rewrites nothing. */
export interface ExtractiveSummarizer {
  /**
   * Extracts a summary.
   *
   * @throws YagateError `INVALID_ARGUMENTS` for a request beyond `EXTRACTIVE_LIMITS` or an invalid language tag.
   * @throws IsolationError if the time or memory limit was exceeded, the queue is full, or the signal was aborted.
   */
  summarize(request: ExtractiveRequest, options: ExtractiveOptions): Promise<ExtractiveSummary>;
  /** Terminates the summarizer's threads. Running summaries fail with `aborted`. */
  close(): Promise<void>;
}

/** The worker's file: next to this file in the sources, next to the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./extractive-worker.ts" : "./extractive-worker.js",
  import.meta.url,
);

const POOL = {
  memoryMegabytes: 256,
  maxWaiting: 100,
  maxWaitingCharacters: 16 * EXTRACTIVE_LIMITS.maxCharacters,
  maxWaitMs: 30_000,
} as const;

/** Creates a summarizer with a thread that starts with the first text and ends when it is idle. */
export function createExtractiveSummarizer(): ExtractiveSummarizer {
  const pool = createWorkerPool<ExtractiveRequest, ExtractiveSummary>({ ...POOL, file: WORKER });
  return {
    async summarize(request, { timeoutMs, owner, signal }) {
      checkRequest(request);
      const characters = request.text.length;
      return pool.run(request, {
        timeoutMs,
        characters,
        ...defined({ owner, signal }),
      });
    },
    close: () => pool.close(),
  };
}

function checkRequest({ text, maxSentences, maxCharacters = 1, language }: ExtractiveRequest): void {
  const { maxCharacters: maxTextCharacters, maxSentences: mostSentences } = EXTRACTIVE_LIMITS;
  if (text.length > maxTextCharacters) throw invalid(`expected a text of at most ${maxTextCharacters} characters`);
  if (!Number.isInteger(maxSentences) || maxSentences < 1 || maxSentences > mostSentences) {
    throw invalid(`expected maxSentences to be an integer from 1 to ${mostSentences}`);
  }
  if (!Number.isInteger(maxCharacters) || maxCharacters < 1) {
    throw invalid("expected maxCharacters to be a positive integer");
  }
  if (language !== undefined && !isLanguageTag(language)) {
    throw invalid("expected the language to be a BCP 47 tag, such as de or pt-BR");
  }
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function invalid(message: string): YagateError {
  return new YagateError("INVALID_ARGUMENTS", message);
}
