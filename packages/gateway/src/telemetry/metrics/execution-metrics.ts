import { RecencyMap } from "@yagate/lib/cache/recency-map";
import {
  type ErrorCode,
  type ExecutionEvent,
  type ExecutionStatus,
  hasEnded,
  isErrorCode,
  type ModelCall,
  stopReasonSchema,
  type TokenUsage,
  viaSchema,
} from "@yagate/protocol";
import { Counter, Histogram, type Registry } from "prom-client";
import { CALL_SECONDS, EXECUTION_SECONDS } from "./buckets.ts";

/** What became durable in one append. */
interface CountedAppend {
  readonly executionId: string;
  readonly entries: readonly { readonly event: ExecutionEvent }[];
  readonly summary: {
    readonly status: ExecutionStatus;
    readonly stopReason: string | null;
    /** ms since the epoch. */
    readonly startedAt: number | null;
    readonly finishedAt: number | null;
  };
}

/** A model request that is on its way. */
interface AskedModel {
  readonly provider: string;
  /** ms since the epoch. */
  readonly askedAt: number;
}

/** Requests of executions that others have taken over are never answered here. */
const MAX_ASKED = 20_000;

/**
 * The results that attempts usually have. A series that only its first event makes never grows by it, as a rate sees
 * it, so what is known beforehand begins at 0.
 */
const USUAL_RESULTS: readonly (ErrorCode | "ok" | "interrupted" | "handler")[] = [
  "ok",
  "interrupted",
  "handler",
  "TIMEOUT",
  "NETWORK_ERROR",
  "TLS_ERROR",
  "URL_BLOCKED",
  "DNS_BLOCKED",
  "HANDLER_ERROR",
  "HANDLER_GONE",
  "REDIRECT_REFUSED",
  "INVALID_RESPONSE",
  "RESPONSE_TOO_LARGE",
  "RATE_LIMITED",
  "CIRCUIT_OPEN",
  "POLICY_DENIED",
  "CANCELLED",
];

const TOKEN_TYPES = ["input", "output", "cached_input", "reasoning"] as const;
const USUAL_MODEL_RESULTS = ["ok", "interrupted", "MODEL_ERROR", "TIMEOUT", "NETWORK_ERROR"] as const;

/** Counts what happens to executions. */
export interface ExecutionMetrics {
  onCreated(): void;
  onClaimed(count: number): void;
  onAppended(append: CountedAppend): void;
}

/**
 * Counts executions, model turns and tool calls by what became durable, so each is counted once, by the process that
 * wrote it.
 *
 * @param providerOf - the provider of a model as a label; there must be a bounded number of them.
 * @param providers - those that are known beforehand.
 */
export function createExecutionMetrics(
  registry: Registry,
  providerOf: (model: string) => string,
  providers: readonly string[] = [],
): ExecutionMetrics {
  const registers = [registry];
  const started = new Counter({
    name: "yagate_executions_started_total",
    help: "Executions that were accepted",
    registers,
  });
  const finished = new Counter({
    name: "yagate_executions_finished_total",
    help: "Executions that ended, by status and stop reason",
    labelNames: ["status", "stop_reason"],
    registers,
  });
  const durations = new Histogram({
    name: "yagate_execution_duration_seconds",
    help: "From the first event of an execution to its last, waiting included",
    labelNames: ["status"],
    buckets: EXECUTION_SECONDS,
    registers,
  });
  const claimed = new Counter({
    name: "yagate_executions_taken_over_total",
    help: "Unfinished executions that were taken over from a process that ended or was frozen",
    registers,
  });
  const turns = new Counter({
    name: "yagate_model_requests_total",
    help: "Requests to models, by provider and result: ok, interrupted, or the code of the failure",
    labelNames: ["provider", "result"],
    registers,
  });
  const turnDurations = new Histogram({
    name: "yagate_model_request_duration_seconds",
    help: "From asking a model to its whole answer, or to its failure",
    labelNames: ["provider"],
    buckets: CALL_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: "yagate_model_tokens_total",
    help: "Tokens as providers counted them; cached_input is part of input, reasoning of output",
    labelNames: ["provider", "type"],
    registers,
  });
  const spent = new Counter({
    name: "yagate_model_cost_usd_total",
    help: "What model requests cost, as far as their prices are known",
    labelNames: ["provider"],
    registers,
  });
  const attempts = new Counter({
    name: "yagate_tool_attempts_total",
    help: "Attempts of tool calls, by result: ok, interrupted, a code of the gateway, or handler for a code of its own",
    labelNames: ["result"],
    registers,
  });
  const attemptDurations = new Histogram({
    name: "yagate_tool_attempt_duration_seconds",
    help: "From sending an attempt to its answer, or to its failure",
    labelNames: ["result"],
    buckets: CALL_SECONDS,
    registers,
  });
  const calls = new Counter({
    name: "yagate_tool_calls_total",
    help: "Tool calls that have their answer, by status and by where it came from",
    labelNames: ["status", "via"],
    registers,
  });
  const lateResponses = new Counter({
    name: "yagate_tool_late_answers_total",
    help: "Answers of handlers that came after their attempt had been given up",
    registers,
  });
  const unknownOutcomes = new Counter({
    name: "yagate_tool_outcomes_unknown_total",
    help: "Tool calls that ended as failed and may have happened all the same",
    registers,
  });
  const approvals = new Counter({
    name: "yagate_approvals_total",
    help: "Calls that people were asked about: requested, and what came of them",
    labelNames: ["status"],
    registers,
  });
  const asked = new RecencyMap<AskedModel>(MAX_ASKED);

  for (const reason of stopReasonSchema.options) {
    const status = reason === "error" ? "failed" : reason === "cancelled" ? "cancelled" : "completed";
    finished.inc({ status, stop_reason: reason }, 0);
  }
  for (const status of ["completed", "failed", "cancelled"]) durations.zero({ status });
  for (const result of USUAL_RESULTS) attempts.inc({ result }, 0);
  for (const result of ["ok", "failed"]) attemptDurations.zero({ result });
  for (const via of [...viaSchema.options, "gateway"]) calls.inc({ status: "completed", via }, 0);
  for (const status of ["failed", "denied"]) calls.inc({ status, via: "none" }, 0);
  for (const status of ["requested", "approved", "denied", "expired", "cancelled"]) approvals.inc({ status }, 0);
  for (const provider of providers) {
    for (const result of USUAL_MODEL_RESULTS) turns.inc({ provider, result }, 0);
    for (const type of TOKEN_TYPES) tokens.inc({ provider, type }, 0);
    spent.inc({ provider }, 0);
  }

  function countModel(
    event: Extract<ExecutionEvent, { type: "model.responded" | "model.failed" }>,
    { provider, askedAt }: AskedModel,
  ): void {
    const isInterruption = event.type === "model.failed" && event.isInterruption === true;
    const result =
      event.type === "model.responded" ? "ok" : isInterruption ? "interrupted" : codeLabel(event.error.code);
    turns.inc({ provider, result });
    if (!isInterruption) turnDurations.observe({ provider }, Math.max(0, Date.parse(event.at) - askedAt) / 1_000);
    if (event.usage !== undefined) countTokens(provider, event.usage);
    if (event.cost !== undefined && event.cost.usd > 0) spent.inc({ provider }, event.cost.usd);
  }

  function countTokens(provider: string, usage: TokenUsage): void {
    const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage;
    const counts = {
      input: inputTokens,
      output: outputTokens,
      cached_input: cachedInputTokens,
      reasoning: reasoningTokens,
    };
    for (const [type, count] of Object.entries(counts)) if (count > 0) tokens.inc({ provider, type }, count);
  }

  function countQuestions(asked: readonly ModelCall[] = []): void {
    for (const { model, usage, cost, durationMs, error } of asked) {
      const provider = providerOf(model);
      turns.inc({ provider, result: error === undefined ? "ok" : codeLabel(error.code) });
      turnDurations.observe({ provider }, durationMs / 1_000);
      countTokens(provider, usage);
      if (cost.usd > 0) spent.inc({ provider }, cost.usd);
    }
  }

  function countAttempt(event: Extract<ExecutionEvent, { type: "attempt.finished" }>): void {
    const { errorCode, durationMs, isInterruption } = event;
    if (isInterruption === true) {
      attempts.inc({ result: "interrupted" });
      return;
    }
    attempts.inc({ result: errorCode === undefined ? "ok" : codeLabel(errorCode) });
    if (durationMs === null) return;
    attemptDurations.observe({ result: errorCode === undefined ? "ok" : "failed" }, durationMs / 1_000);
  }

  function count(event: ExecutionEvent): void {
    switch (event.type) {
      case "model.requested":
        asked.set(event.executionId, { provider: providerOf(event.model), askedAt: Date.parse(event.at) });
        return;
      case "model.responded":
      case "model.failed": {
        const request = asked.get(event.executionId);
        asked.delete(event.executionId);
        // One that another process had asked for: how long it took, and of whom, is not known here.
        countModel(event, request ?? { provider: "other", askedAt: Date.parse(event.at) });
        return;
      }
      case "attempt.finished":
        countAttempt(event);
        return;
      case "tool_call.completed":
        countQuestions(event.modelCalls);
        calls.inc({ status: "completed", via: event.via ?? "gateway" });
        return;
      case "tool_call.denied":
        calls.inc({ status: "denied", via: "none" });
        return;
      case "tool_call.failed":
        countQuestions(event.modelCalls);
        if (event.fallbackUntil !== undefined) return;
        calls.inc({ status: "failed", via: "none" });
        if (event.error.outcome === "unknown") unknownOutcomes.inc();
        return;
      case "approval.requested":
        approvals.inc({ status: "requested" });
        return;
      case "approval.resolved":
        approvals.inc({ status: event.status });
        return;
      case "tool_call.late":
        lateResponses.inc();
        return;
      default:
        return;
    }
  }

  return {
    onCreated: () => started.inc(),
    onClaimed: (number) => claimed.inc(number),
    onAppended({ executionId, entries, summary }) {
      for (const { event } of entries) count(event);
      if (!hasEnded(summary.status)) return;
      asked.delete(executionId);
      const { status, stopReason, startedAt, finishedAt } = summary;
      finished.inc({ status, stop_reason: stopReason ?? "none" });
      if (startedAt === null || finishedAt === null) return;
      durations.observe({ status }, Math.max(0, finishedAt - startedAt) / 1_000);
    },
  };
}

/** A handler's codes are any text, so all of them are one label. */
function codeLabel(code: string): string {
  return isErrorCode(code) ? code : "handler";
}
