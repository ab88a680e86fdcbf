import { defined } from "@yagate/lib/objects/defined";
import { createWorkerPool } from "@yagate/lib/workers/worker-pool";
import { YagateError } from "@yagate/protocol";
import { EXTRACTIVE_LIMITS, type ExtractiveRequest, type ExtractiveSummary } from "./extractive-summary.ts";

export type { ExtractiveRequest, ExtractiveSummary } from "./extractive-summary.ts";

/** How long one summary may take. */
export interface ExtractiveOptions {
  /** From when its turn comes, in ms. */
  readonly timeoutMs: number;
  /** Whose turns it takes, such as a workspace; turns go round. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

/** Takes the first sentences of a text. No model is asked and nothing is rewritten. */
export interface ExtractiveSummarizer {
  /**
   * @throws YagateError `INVALID_ARGUMENTS` for a request beyond `EXTRACTIVE_LIMITS` or a language that is no tag.
   * @throws IsolationError when a limit of time or memory ended it, too many others wait, or the signal was aborted.
   */
  summarize(request: ExtractiveRequest, options: ExtractiveOptions): Promise<ExtractiveSummary>;
  /** Ends its threads; summaries that are being made end with `aborted`. */
  close(): Promise<void>;
}

/** The worker's file: beside this one in the sources, beside the bundle in the package. */
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

/** An engine with a thread of its own, started at the first text and ended when it is idle. */
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
