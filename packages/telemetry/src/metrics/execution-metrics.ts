import { RecencyMap } from "@yagate/lib/cache/recency-map";
import {
  type ErrorCode,
  type ExecutionEvent,
  type ExecutionStatus,
  hasEnded,
  isErrorCode,
  loadReasonSchema,
  type ModelCall,
  stopReasonSchema,
  type TokenUsage,
  viaSchema,
} from "@yagate/protocol";
import type { Registry } from "prom-client";
import { CALL_SECONDS, EXECUTION_SECONDS } from "./buckets.ts";
import { ByLabel } from "./by-label.ts";
import { CounterFamily } from "./counter-family.ts";
import { HistogramFamily } from "./histogram-family.ts";
import { createRouteMetrics } from "./route-metrics.ts";

/** A durable append. */
interface CountedAppend {
  readonly executionId: string;
  /** `recorded` if nothing leaves the gateway in the execution. */
  readonly mode?: "recorded";
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
  /** Undefined for a recorded reply, for which no request is sent. */
  readonly provider: string | undefined;
  /** Time of the request, in ms since the epoch. */
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
  const started = new CounterFamily({
    name: "yagate_executions_started_total",
    help: "Accepted executions",
    registry,
  }).bind({});
  const finished = new CounterFamily({
    name: "yagate_executions_finished_total",
    help: "Ended executions, by status and stop reason",
    labelNames: ["status", "stop_reason"],
    registry,
  });
  const recorded = new CounterFamily({
    name: "yagate_executions_recorded_total",
    help: "Ended executions that sent no requests, by status; the other execution metrics include them",
    labelNames: ["status"],
    registry,
  });
  const durations = new HistogramFamily({
    name: "yagate_execution_duration_seconds",
    help: "Time from the first event of an execution to its last, including waits",
    labelNames: ["status"],
    buckets: EXECUTION_SECONDS,
    registry,
  });
  const claimed = new CounterFamily({
    name: "yagate_executions_taken_over_total",
    help: "Unfinished executions taken over from a process that ended or was frozen",
    registry,
  }).bind({});
  const turns = new CounterFamily({
    name: "yagate_model_requests_total",
    help: "Requests to models, by provider and result: ok, interrupted, or the code of the failure",
    labelNames: ["provider", "result"],
    registry,
  });
  const turnDurations = new HistogramFamily({
    name: "yagate_model_request_duration_seconds",
    help: "Time from the start of a model request to its complete reply or its failure",
    labelNames: ["provider"],
    buckets: CALL_SECONDS,
    registry,
  });
  const tokens = new CounterFamily({
    name: "yagate_model_tokens_total",
    help: "Tokens as counted by providers; cached_input is part of input, reasoning is part of output",
    labelNames: ["provider", "type"],
    registry,
  });
  const spent = new CounterFamily({
    name: "yagate_model_cost_usd_total",
    help: "Cost of model requests in USD, as far as prices are known",
    labelNames: ["provider"],
    registry,
  });
  const attempts = new CounterFamily({
    name: "yagate_tool_attempts_total",
    help: "Attempts of tool calls, by result: ok, interrupted, an error code of the gateway, or handler for any other code",
    labelNames: ["result"],
    registry,
  });
  const attemptDurations = new HistogramFamily({
    name: "yagate_tool_attempt_duration_seconds",
    help: "Time from sending an attempt to its response or its failure",
    labelNames: ["result"],
    buckets: CALL_SECONDS,
    registry,
  });
  const calls = new CounterFamily({
    name: "yagate_tool_calls_total",
    help: "Ended tool calls, by status and source of the result",
    labelNames: ["status", "via"],
    registry,
  });
  const lateResponses = new CounterFamily({
    name: "yagate_tool_late_answers_total",
    help: "Responses of handlers that arrived after their attempt had timed out",
    registry,
  }).bind({});
  const unknownOutcomes = new CounterFamily({
    name: "yagate_tool_outcomes_unknown_total",
    help: "Failed tool calls that may have taken effect",
    registry,
  }).bind({});
  const approvals = new CounterFamily({
    name: "yagate_approvals_total",
    help: "Approval requests (requested) and their outcomes",
    labelNames: ["status"],
    registry,
  });
  const inputRequests = new CounterFamily({
    name: "yagate_input_requests_total",
    help: "Rounds of questions of tools (requested) and their outcomes",
    labelNames: ["status"],
    registry,
  });
  const deferring = new CounterFamily({
    name: "yagate_executions_with_tool_search_total",
    help: "Started executions that defer tools",
    registry,
  }).bind({});
  const loadedTools = new CounterFamily({
    name: "yagate_tools_loaded_total",
    help: "Loaded deferred tools, by reason: search, or call if the model called the tool without a search",
    labelNames: ["reason"],
    registry,
  });
  const countRoute = createRouteMetrics(registry, codeLabel);
  const pending = new RecencyMap<PendingModelRequest>(MAX_PENDING);

  const finishedBy = new ByLabel(
    (status) => new ByLabel((stopReason) => finished.bind({ status, stop_reason: stopReason })),
  );
  const recordedBy = new ByLabel((status) => recorded.bind({ status }));
  const durationsBy = new ByLabel((status) => durations.bind({ status }));
  const turnsBy = new ByLabel((provider) => new ByLabel((result) => turns.bind({ provider, result })));
  const turnDurationsBy = new ByLabel((provider) => turnDurations.bind({ provider }));
  const tokensBy = new ByLabel((provider) => new ByLabel((type) => tokens.bind({ provider, type })));
  const spentBy = new ByLabel((provider) => spent.bind({ provider }));
  const attemptsBy = new ByLabel((result) => attempts.bind({ result }));
  const attemptDurationsBy = new ByLabel((result) => attemptDurations.bind({ result }));
  const callsBy = new ByLabel((status) => new ByLabel((via) => calls.bind({ status, via })));
  const approvalsBy = new ByLabel((status) => approvals.bind({ status }));
  const inputRequestsBy = new ByLabel((status) => inputRequests.bind({ status }));

  const loadedToolsBy = new ByLabel((reason) => loadedTools.bind({ reason }));
  for (const reason of loadReasonSchema.options) loadedToolsBy.of(reason);
  for (const reason of stopReasonSchema.options) {
    const status = reason === "error" ? "failed" : reason === "cancelled" ? "cancelled" : "completed";
    finishedBy.of(status).of(reason);
  }
  for (const status of ["completed", "failed", "cancelled"]) {
    durationsBy.of(status);
    recordedBy.of(status);
  }
  for (const result of USUAL_RESULTS) attemptsBy.of(result);
  for (const result of ["ok", "failed"]) attemptDurationsBy.of(result);
  for (const via of [...viaSchema.options, "gateway"]) callsBy.of("completed").of(via);
  for (const status of ["failed", "denied"]) callsBy.of(status).of("none");
  for (const status of ["requested", "approved", "denied", "expired", "cancelled"]) approvalsBy.of(status);
  for (const status of ["requested", "answered", "expired", "cancelled"]) inputRequestsBy.of(status);
  for (const provider of providers) {
    for (const result of USUAL_MODEL_RESULTS) turnsBy.of(provider).of(result);
    for (const type of TOKEN_TYPES) tokensBy.of(provider).of(type);
    spentBy.of(provider);
  }

  function countModel(
    event: Extract<ExecutionEvent, { type: "model.responded" | "model.failed" }>,
    { provider, requestedAt }: PendingModelRequest,
  ): void {
    if (provider === undefined) return;
    const isInterruption = event.type === "model.failed" && event.isInterruption === true;
    const result =
      event.type === "model.responded" ? "ok" : isInterruption ? "interrupted" : codeLabel(event.error.code);
    turnsBy.of(provider).of(result).inc();
    if (!isInterruption) {
      turnDurationsBy.of(provider).observe(Math.max(0, Date.parse(event.at) - requestedAt) / 1_000);
    }
    if (event.usage !== undefined) countTokens(provider, event.usage);
    if (event.cost !== undefined && event.cost.usd > 0) spentBy.of(provider).inc(event.cost.usd);
  }

  function countTokens(provider: string, usage: TokenUsage): void {
    const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage;
    const ofProvider = tokensBy.of(provider);
    if (inputTokens > 0) ofProvider.of("input").inc(inputTokens);
    if (outputTokens > 0) ofProvider.of("output").inc(outputTokens);
    if (cachedInputTokens > 0) ofProvider.of("cached_input").inc(cachedInputTokens);
    if (reasoningTokens > 0) ofProvider.of("reasoning").inc(reasoningTokens);
  }

  function countModelCalls(modelCalls: readonly ModelCall[] = []): void {
    for (const { model, usage, cost, durationMs, error } of modelCalls) {
      const provider = providerOf(model);
      const result = error === undefined ? "ok" : codeLabel(error.code);
      turnsBy.of(provider).of(result).inc();
      turnDurationsBy.of(provider).observe(durationMs / 1_000);
      countTokens(provider, usage);
      if (cost.usd > 0) spentBy.of(provider).inc(cost.usd);
    }
  }

  function countAttempt(event: Extract<ExecutionEvent, { type: "attempt.finished" }>): void {
    const { errorCode, durationMs, isInterruption } = event;
    if (isInterruption === true) {
      attemptsBy.of("interrupted").inc();
      return;
    }
    attemptsBy.of(errorCode === undefined ? "ok" : codeLabel(errorCode)).inc();
    if (durationMs === null) return;
    attemptDurationsBy.of(errorCode === undefined ? "ok" : "failed").observe(durationMs / 1_000);
  }

  function count(event: ExecutionEvent): void {
    switch (event.type) {
      case "model.requested":
        pending.set(event.executionId, {
          provider: event.isRecorded === true ? undefined : providerOf(event.model),
          requestedAt: Date.parse(event.at),
        });
        return;
      case "model.responded":
      case "model.failed": {
        const request = pending.get(event.executionId);
        pending.delete(event.executionId);
        // Another process sent the request, so its provider and duration are not known here.
        countModel(event, request ?? { provider: "other", requestedAt: Date.parse(event.at) });
        return;
      }
      case "execution.started":
        if (event.toolSearch !== undefined) deferring.inc();
        return;
      case "route.decided":
      case "route.changed":
        countRoute(event);
        return;
      case "tools.loaded":
        loadedToolsBy.of(event.reason).inc(event.tools.length);
        return;
      case "attempt.finished":
        countAttempt(event);
        return;
      case "tool_call.completed":
        countModelCalls(event.modelCalls);
        callsBy
          .of("completed")
          .of(event.via ?? "gateway")
          .inc();
        return;
      case "tool_call.denied":
        callsBy.of("denied").of("none").inc();
        return;
      case "tool_call.failed":
        countModelCalls(event.modelCalls);
        if (event.fallbackUntil !== undefined) return;
        callsBy.of("failed").of("none").inc();
        if (event.error.outcome === "unknown") unknownOutcomes.inc();
        return;
      case "approval.requested":
        approvalsBy.of("requested").inc();
        return;
      case "approval.resolved":
        approvalsBy.of(event.status).inc();
        return;
      case "input.requested":
        // Without questions, the tool only has to be called again.
        if (event.questions.length > 0) inputRequestsBy.of("requested").inc();
        return;
      case "input.received":
        inputRequestsBy.of("answered").inc();
        return;
      case "input.withdrawn":
        inputRequestsBy.of(event.status).inc();
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
    onAppended({ executionId, mode, entries, summary }) {
      for (const { event } of entries) count(event);
      if (!hasEnded(summary.status)) return;
      pending.delete(executionId);
      const { status, stopReason, startedAt, finishedAt } = summary;
      if (mode === "recorded") recordedBy.of(status).inc();
      finishedBy
        .of(status)
        .of(stopReason ?? "none")
        .inc();
      if (startedAt === null || finishedAt === null) return;
      durationsBy.of(status).observe(Math.max(0, finishedAt - startedAt) / 1_000);
    },
  };
}

/** Returns the label for an error code. Handlers choose their own codes, so these share one label. */
function codeLabel(code: string): string {
  return isErrorCode(code) ? code : "handler";
}
