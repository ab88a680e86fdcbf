import type { ArtifactReader } from "@yagate/lib/artifacts/port";
import { IsolationError } from "@yagate/lib/workers/isolation-error";
import { toFieldErrors } from "@yagate/protocol";
import { AskModelError } from "../ask-model.ts";
import type { BuiltinContext, BuiltinError, BuiltinOutcome, BuiltinTool } from "../builtin-tool.ts";
import { isKnownLanguage, languageNamed } from "../language/known-language.ts";
import { findInjections } from "../web/injection/find-injections.ts";
import type { ContentWarning } from "../web/port.ts";
import type { ExtractiveSummarizer } from "./extractive/extractive-summarizer.ts";
import { summarizeByExtraction } from "./extractive-result.ts";
import { UnreadableReplyError } from "./model/read-reply.ts";
import { summarizeWithModel, TooManyQuestionsError } from "./model/summarize-with-model.ts";
import { toModelResult } from "./model-result.ts";
import { readSourceText } from "./source-text.ts";
import {
  MAX_TEXT_CHARACTERS,
  parseSummarizerConfig,
  SUMMARY_PARAMETERS,
  type SummarizerConfig,
  type SummaryRequest,
  summarizerConfigSchema,
  toSummaryRequest,
} from "./summary-request.ts";
import { warningsInText } from "./warnings-in-text.ts";

/** Maximum size of the arguments: enough for a text of maximum length and the other arguments. */
const MAX_ARGUMENT_CHARACTERS = MAX_TEXT_CHARACTERS + 65_536;
const TIMEOUT_MS = 120_000;
/**
 * The part of a call's time that is reserved for an extractive summary, in case the model is too slow: a share, up to a
 * maximum.
 */
const RESERVE = { mostMs: 15_000, share: 0.25 } as const;

export interface TextSummarizerParts {
  readonly artifacts: ArtifactReader;
  readonly extractor: ExtractiveSummarizer;
}

/** The reason why the model wrote no summary. */
interface Reason {
  readonly code: "NO_MODEL" | "BUDGET_EXCEEDED" | "MODEL_ERROR" | "UNREADABLE_REPLY" | "TOO_LONG" | "MODE_SET";
  readonly message: string;
}

/**
 * Creates the tool that summarises texts and artifacts, either in the words of the agent's model or with sentences from
 * the text.
 */
export function createTextSummarizerTool(
  parts: TextSummarizerParts,
  config: SummarizerConfig = summarizerConfigSchema.parse({}),
): BuiltinTool {
  return {
    name: "text_summarizer",
    description:
      "Summarises a long text, or a tool result that was too large to show, and lists its key points with the " +
      "passages that support them. Says whether the summary is rewritten or consists of sentences of the text.",
    parameters: SUMMARY_PARAMETERS,
    sideEffect: "read_only",
    kind: "compute",
    isConfigured: true,
    asksModel: true,
    maxArgumentCharacters: MAX_ARGUMENT_CHARACTERS,
    timeoutMs: TIMEOUT_MS,
    configure(given) {
      const { data, error } = parseSummarizerConfig(given);
      return data === undefined ? { problems: toFieldErrors(error) } : { tool: createTextSummarizerTool(parts, data) };
    },
    execute: (parameters, context) => summarize(toSummaryRequest(parameters, config), parts, { config, context }),
  };
}

interface Call {
  readonly config: SummarizerConfig;
  readonly context: BuiltinContext;
}

async function summarize(request: SummaryRequest, parts: TextSummarizerParts, call: Call): Promise<BuiltinOutcome> {
  const { language } = request;
  if (language !== undefined && !isKnownLanguage(language)) return { error: wrongLanguage(language) };
  const source = await readSourceText(request, parts.artifacts, call.context);
  if ("error" in source) return source;
  const { text } = source;
  const { context } = call;
  const found = await warningsInText(text, findInjections, context.signal);
  const made = request.mode === "extractive" ? notAsked(request) : await inNewWords(text, request, call);
  if (made !== undefined && "result" in made) return finished(made.result);
  if (made !== undefined && request.mode === "model") return { error: toError(made.reason, call.config) };
  try {
    const timeoutMs = Math.max(1, context.deadline - context.now());
    const { extractor } = parts;
    const result = await summarizeByExtraction(text, request, {
      extractor,
      owner: context.workspaceId,
      timeoutMs,
      signal: context.signal,
    });
    return finished({ ...result, ...(made === undefined ? {} : { reason: made.reason }) });
  } catch (error) {
    if (!(error instanceof IsolationError)) throw error;
    return { error: EXTRACTION_ERRORS[error.reason] ?? BUSY };
  }

  function finished(result: { readonly method: string; readonly warnings: readonly ContentWarning[] }): BuiltinOutcome {
    const warnings = [...result.warnings, ...found];
    return { result: { ...result, characterCount: text.length, source_untrusted: true, warnings } };
  }
}

/**
 * Returns the reason why a call that requested a model summary does not get one: the agent's author has set another
 * mode. Returns undefined if the call did not request a model summary.
 */
function notAsked({ isModeOverruled }: SummaryRequest): { readonly reason: Reason } | undefined {
  return isModeOverruled ? { reason: MODE_SET } : undefined;
}

/** Returns the summary written by the model, or the reason why there is none. */
async function inNewWords(text: string, request: SummaryRequest, { config, context }: Call) {
  const { askModel, deadline, now, toolCallId } = context;
  if (askModel === undefined) return { reason: NO_MODEL };
  const leftMs = deadline - now();
  const options = {
    askModel,
    maxQuestions: config.maxQuestions,
    deadline: deadline - Math.min(RESERVE.mostMs, leftMs * RESERVE.share),
    now,
    seed: toolCallId,
  };
  try {
    return { result: toModelResult(await summarizeWithModel(text, request, options), request) };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

const MODE_SET: Reason = { code: "MODE_SET", message: "the agent's author has set mode extractive for all calls" };
const NO_MODEL: Reason = { code: "NO_MODEL", message: "this agent's model can't be used by tools" };

/** Returns the reason why the model wrote no summary. @throws the error itself if the model did not cause it. */
function reasonOf(error: unknown): Reason {
  if (error instanceof AskModelError) {
    return { code: error.code === "BUDGET_EXCEEDED" ? "BUDGET_EXCEEDED" : "MODEL_ERROR", message: error.message };
  }
  if (error instanceof UnreadableReplyError) return { code: "UNREADABLE_REPLY", message: error.message };
  if (error instanceof TooManyQuestionsError) return { code: "TOO_LONG", message: error.message };
  throw error;
}

/**
 * Hints for calls that require a model summary but did not get one. If the agent's author has set this mode, no other
 * mode is possible.
 */
const HINTS = {
  model: "continue without a summary: the agent's author has set mode model for all calls",
  auto: "use mode auto or extractive, which needs no model, or continue without a summary",
} as const;

function toError({ code, message }: Reason, { mode }: SummarizerConfig): BuiltinError {
  const hint = mode === "model" ? HINTS.model : HINTS.auto;
  switch (code) {
    case "NO_MODEL":
      return { code: "NOT_CONFIGURED", message, hint, retryable: false };
    case "BUDGET_EXCEEDED":
    case "TOO_LONG":
      return { code: "BUDGET_EXCEEDED", message, hint, retryable: false };
    default:
      return { code: "MODEL_ERROR", message, hint, retryable: false };
  }
}

function wrongLanguage(given: string): BuiltinError {
  const meant = languageNamed(given);
  return {
    code: "INVALID_ARGUMENTS",
    message: "language: expected a BCP 47 tag of a known language, such as en or pt-BR",
    hint: meant === undefined ? "leave language out to use the language of the text" : `did you mean ${meant}?`,
    retryable: true,
  };
}

const BUSY: BuiltinError = {
  code: "UNAVAILABLE",
  message: "too many summaries are running",
  hint: "call again in a few seconds",
  retryable: true,
};
const EXTRACTION_ERRORS: { readonly [reason in IsolationError["reason"]]?: BuiltinError } = {
  time: { code: "TIMEOUT", message: "the text was not summarised in time", hint: "summarise a part of it" },
  memory: {
    code: "INVALID_ARGUMENTS",
    message: "the text exceeds the memory limit of a summary",
    hint: "summarise a part of it",
  },
  aborted: { code: "CANCELLED", message: "the call ended before the text was summarised" },
};
