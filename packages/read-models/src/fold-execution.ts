import type { ExecutionEvent, MetricName } from "@yagate/protocol";
import type { FoldedExecution, MetricPoint, ToolCallEntry, UnreadExecution } from "@yagate/store/port";
import { bucketOf } from "./buckets.ts";
import { changeOfCall } from "./fold-call.ts";
import { type FoldState, type OpenCall, parseFoldState } from "./fold-state.ts";
import { codeLabel, handlerLabel, UNKNOWN_TOOL } from "./labels.ts";
import { STEPS, startOfStep } from "./steps.ts";

/** Attempts beyond this number share a bucket. */
const MAX_ATTEMPTS = 100;

/**
 * Derives the rows of the read models from the unread events of an execution. All times are those of the events, so a
 * later fold of the same events returns the same rows.
 */
export function foldExecution(unread: UnreadExecution): FoldedExecution {
  const fold = new Fold(unread);
  for (const event of unread.events) fold.add(event);
  return fold.finish();
}

class Fold {
  readonly #unread: UnreadExecution;
  readonly #calls: Map<string, OpenCall>;
  readonly #counted: FoldState["counted"];
  readonly #changed = new Map<string, ToolCallEntry>();
  readonly #tools = new Set<string>();
  readonly #points: MetricPoint[] = [];
  #waiting: FoldState["waiting"];
  #lastAt: number;
  #hasEnded = false;

  constructor(unread: UnreadExecution) {
    const { calls, waiting, counted } = parseFoldState(unread.state);
    this.#unread = unread;
    this.#calls = new Map(Object.entries(calls));
    this.#counted = counted;
    this.#waiting = waiting;
    this.#lastAt = unread.createdAt;
  }

  add(event: ExecutionEvent): void {
    const at = Date.parse(event.at);
    this.#lastAt = at;
    if (this.#waiting !== null) {
      this.#addDuration("waitTime", this.#waiting.reason, at - this.#waiting.since, at);
      this.#waiting = null;
    }
    switch (event.type) {
      case "execution.started":
        this.#addDuration("queueTime", "", at - this.#unread.createdAt, at);
        break;
      case "execution.waiting":
        // After a restart, the execution continues at once: there is no wait.
        if (event.reason !== "restart") this.#waiting = { reason: event.reason, since: at };
        break;
      case "tool_call.requested":
        this.#request(event, at);
        break;
      case "execution.completed":
        this.#end("completed", at);
        break;
      case "execution.failed":
        this.#end("failed", at);
        this.#add("codes", codeLabel(event.error.code), at);
        break;
      case "execution.cancelled":
        this.#end("cancelled", at);
        break;
      default:
        if (typeof event["toolCallId"] === "string") this.#change(event, event["toolCallId"], at);
    }
  }

  finish(): FoldedExecution {
    const { totals, agentId } = this.#unread;
    const { inputTokens, outputTokens, usd } = this.#counted;
    this.#add("inputTokens", agentId, this.#lastAt, totals.inputTokens - inputTokens);
    this.#add("outputTokens", agentId, this.#lastAt, totals.outputTokens - outputTokens);
    this.#add("cost", agentId, this.#lastAt, totals.usd - usd);
    const calls = Object.fromEntries(this.#calls);
    const state: FoldState = { calls, waiting: this.#waiting, counted: totals };
    return {
      // An ended execution has no more events.
      state: this.#hasEnded ? null : JSON.stringify(state),
      tools: [...this.#tools],
      calls: [...this.#changed.values()],
      points: this.#points,
    };
  }

  #request(event: Extract<ExecutionEvent, { type: "tool_call.requested" }>, at: number): void {
    const tool = event.kind === null ? UNKNOWN_TOOL : event.name;
    if (event.kind !== null) this.#tools.add(tool);
    const isHandler = event.kind === "handler";
    this.#keep(event.toolCallId, { tool, status: "requested", requestedAt: at, attempts: 0, code: null, isHandler });
  }

  #change(event: ExecutionEvent, id: string, at: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    if (event.type === "attempt.finished" && event.durationMs !== null && !event.isPending) {
      this.#addDuration("toolDuration", call.tool, event.durationMs, at);
    }
    if (event.type === "attempt.finished") this.#measureHandler(call.handler, event, at);
    const change = changeOfCall(event, call);
    if (change === undefined) return;
    const { isEnded = false, ...fields } = change;
    const changed = { ...call, ...fields };
    if (!isEnded) return this.#keep(id, changed);
    this.#calls.delete(id);
    this.#changed.set(id, entryOf(id, changed, at));
    if (changed.code !== null) this.#add("codes", codeLabel(changed.code), at);
    if (changed.attempts > 0) {
      this.#addTo("callAttempts", changed.tool, at, Math.min(changed.attempts, MAX_ATTEMPTS), 1);
    } else if (changed.status === "completed" || changed.status === "failed") {
      // Tools that the gateway runs itself have no attempts.
      this.#addDuration("toolDuration", changed.tool, at - changed.requestedAt, at);
    }
  }

  /** Measures how a handler responded. An attempt whose end is unknown has no duration. */
  #measureHandler(
    handler: string | undefined,
    { durationMs, errorCode }: Extract<ExecutionEvent, { type: "attempt.finished" }>,
    at: number,
  ): void {
    if (handler === undefined || durationMs === null) return;
    const label = handlerLabel(handler);
    this.#addDuration("handlerDuration", label, durationMs, at);
    if (errorCode !== undefined) this.#add("handlerFailures", label, at);
  }

  #keep(id: string, call: OpenCall): void {
    this.#calls.set(id, call);
    this.#changed.set(id, entryOf(id, call, null));
  }

  #end(status: string, at: number): void {
    this.#hasEnded = true;
    this.#add("executions", status, at);
    for (const [id, call] of this.#calls) {
      this.#changed.set(id, entryOf(id, { ...call, status: "cancelled" }, at));
    }
    this.#calls.clear();
  }

  #addDuration(metric: MetricName, label: string, ms: number, at: number): void {
    this.#addTo(metric, label, at, bucketOf(ms), 1);
  }

  #add(metric: MetricName, label: string, at: number, value = 1): void {
    this.#addTo(metric, label, at, 0, value);
  }

  #addTo(metric: MetricName, label: string, at: number, bucket: number, value: number): void {
    if (value === 0) return;
    for (const { seconds } of STEPS) {
      this.#points.push({ metric, label, step: seconds, at: startOfStep(at, seconds), bucket, value });
    }
  }
}

function entryOf(id: string, call: OpenCall, finishedAt: number | null): ToolCallEntry {
  const { tool, status, code, requestedAt } = call;
  return { id, tool, status, code: code === null ? null : codeLabel(code), requestedAt, finishedAt };
}
