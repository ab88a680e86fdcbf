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

/** A durable append. */
interface CountedAppend {
  readonly executionId: string;
  readonly entries: readonly { readonly event: ExecutionEvent }[];
  readonly summary: {
    readonly status: ExecutionStatus;
    readonly stopReason: string | null;
    /** Start of the execution, in ms since the epoch. */
    readonly startedAt: number | null;
    readonly finishedAt: number | null;
  };
}

/** A model request in progress. */
interface PendingModelRequest {
  readonly provider: string;
  /** In ms since the epoch. */
  readonly requestedAt: number;
}

/** Maximum size of the map. Without it, requests of executions that another process took over would stay forever. */
const MAX_PENDING = 20_000;

/**
 * The common results of attempts. Their series start at 0, because `rate` and `increase` ignore the first event of a
 * new series.
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

/** Counts executions, model requests and tool calls. */
export interface ExecutionMetrics {
  onCreated(): void;
  onClaimed(count: number): void;
  onAppended(append: CountedAppend): void;
}

/**
 * Counts durable events. Each event is counted once, by the process that wrote it.
 *
 * @param providerOf - returns the provider label of a model; the number of labels must be bounded.
 * @param providers - labels whose series start at 0.
 */
export function createExecutionMetrics(
  registry: Registry,
  providerOf: (model: string) => string,
  providers: readonly string[] = [],
): ExecutionMetrics {
  const registers = [registry];
  const started = new Counter({
    name: "yagate_executions_started_total",
    help: "Accepted executions",
    registers,
  });
  const finished = new Counter({
    name: "yagate_executions_finished_total",
    help: "Ended executions, by status and stop reason",
    labelNames: ["status", "stop_reason"],
    registers,
  });
  const durations = new Histogram({
    name: "yagate_execution_duration_seconds",
    help: "Time from the first event of an execution to its last, including waits",
    labelNames: ["status"],
    buckets: EXECUTION_SECONDS,
    registers,
  });
  const claimed = new Counter({
    name: "yagate_executions_taken_over_total",
    help: "Unfinished executions taken over from a process that ended or was frozen",
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
    help: "Time from the start of a model request to its complete reply or its failure",
    labelNames: ["provider"],
    buckets: CALL_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: "yagate_model_tokens_total",
    help: "Tokens as counted by providers; cached_input is part of input, reasoning is part of output",
    labelNames: ["provider", "type"],
    registers,
  });
  const spent = new Counter({
    name: "yagate_model_cost_usd_total",
    help: "Cost of model requests in USD, as far as prices are known",
    labelNames: ["provider"],
    registers,
  });
  const attempts = new Counter({
    name: "yagate_tool_attempts_total",
    help: "Attempts of tool calls, by result: ok, interrupted, an error code of the gateway, or handler for any other code",
    labelNames: ["result"],
    registers,
  });
  const attemptDurations = new Histogram({
    name: "yagate_tool_attempt_duration_seconds",
    help: "Time from sending an attempt to its response or its failure",
    labelNames: ["result"],
    buckets: CALL_SECONDS,
    registers,
  });
  const calls = new Counter({
    name: "yagate_tool_calls_total",
    help: "Ended tool calls, by status and source of the result",
    labelNames: ["status", "via"],
    registers,
  });
  const lateResponses = new Counter({
    name: "yagate_tool_late_answers_total",
    help: "Responses of handlers that arrived after their attempt had timed out",
    registers,
  });
  const unknownOutcomes = new Counter({
    name: "yagate_tool_outcomes_unknown_total",
    help: "Failed tool calls that may have taken effect",
    registers,
  });
  const approvals = new Counter({
    name: "yagate_approvals_total",
    help: "Approval requests (requested) and their outcomes",
    labelNames: ["status"],
    registers,
  });
  const pending = new RecencyMap<PendingModelRequest>(MAX_PENDING);

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
    { provider, requestedAt }: PendingModelRequest,
  ): void {
    const isInterruption = event.type === "model.failed" && event.isInterruption === true;
    const result =
      event.type === "model.responded" ? "ok" : isInterruption ? "interrupted" : codeLabel(event.error.code);
    turns.inc({ provider, result });
    if (!isInterruption) turnDurations.observe({ provider }, Math.max(0, Date.parse(event.at) - requestedAt) / 1_000);
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

  function countModelCalls(modelCalls: readonly ModelCall[] = []): void {
    for (const { model, usage, cost, durationMs, error } of modelCalls) {
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
        pending.set(event.executionId, { provider: providerOf(event.model), requestedAt: Date.parse(event.at) });
        return;
      case "model.responded":
      case "model.failed": {
        const request = pending.get(event.executionId);
        pending.delete(event.executionId);
        // Another process sent the request, so its provider and duration are not known here.
        countModel(event, request ?? { provider: "other", requestedAt: Date.parse(event.at) });
        return;
      }
      case "attempt.finished":
        countAttempt(event);
        return;
      case "tool_call.completed":
        countModelCalls(event.modelCalls);
        calls.inc({ status: "completed", via: event.via ?? "gateway" });
        return;
      case "tool_call.denied":
        calls.inc({ status: "denied", via: "none" });
        return;
      case "tool_call.failed":
        countModelCalls(event.modelCalls);
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
      pending.delete(executionId);
      const { status, stopReason, startedAt, finishedAt } = summary;
      finished.inc({ status, stop_reason: stopReason ?? "none" });
      if (startedAt === null || finishedAt === null) return;
      durations.observe({ status }, Math.max(0, finishedAt - startedAt) / 1_000);
    },
  };
}

/** Returns the label for an error code. Handlers choose their own codes, so these share one label. */
function codeLabel(code: string): string {
  return isErrorCode(code) ? code : "handler";
}
