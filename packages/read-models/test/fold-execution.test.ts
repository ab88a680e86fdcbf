import type { ExecutionEvent } from "@yagate/protocol";
import type { MetricPoint, UnreadExecution } from "@yagate/store/port";
import { describe, expect, it } from "vitest";
import { bucketOf } from "../src/buckets.ts";
import { foldExecution } from "../src/fold-execution.ts";

const T0 = Date.parse("2026-11-21T06:10:00.000Z");
const HOUR = Date.parse("2026-11-21T06:00:00.000Z");
const FINE = Date.parse("2026-11-21T06:10:00.000Z");

type Fields = { readonly type: ExecutionEvent["type"]; readonly afterMs?: number; readonly [field: string]: unknown };

/** The fold reads only these fields. */
const eventsOf = (fields: readonly Fields[]) =>
  fields.map(({ afterMs = 0, ...rest }, index) => {
    const at = new Date(T0 + afterMs).toISOString();
    return { seq: index + 1, at, executionId: "exec_1", ...rest } as ExecutionEvent;
  });

function fold(fields: readonly Fields[], change: Partial<UnreadExecution> = {}) {
  const totals = { inputTokens: 0, outputTokens: 0, usd: 0 };
  const unread = { id: "exec_1", workspaceId: "ws_a", agentId: "agt_1", createdAt: T0 - 40, state: null, totals };
  return foldExecution({ ...unread, events: eventsOf(fields), ...change });
}

const hourly = (points: readonly MetricPoint[]) =>
  points.filter(({ step }) => step === 3_600).map(({ metric, label, bucket, value }) => [metric, label, bucket, value]);

const requested = { type: "tool_call.requested", toolCallId: "tc_1", name: "work", kind: "handler" } as const;
const attempt = { toolCallId: "tc_1", attemptId: "att_1", number: 1 };
const started = { type: "attempt.started", ...attempt } as const;
const finished = { type: "attempt.finished", ...attempt, durationMs: 120 } as const;
const error = (code: string, source = "handler") => ({ code, source, message: "x", retryable: false, outcome: "none" });

describe("the fold of an execution", () => {
  it("counts the end by status, in the hour and in five minutes", () => {
    const { points } = fold([{ type: "execution.completed" }]);
    expect(points.map(({ step, at, metric, label }) => [step, at, metric, label])).toEqual([
      [300, FINE, "executions", "completed"],
      [3_600, HOUR, "executions", "completed"],
    ]);
  });

  it("counts a call with its attempts, durations and code", () => {
    const { points, tools, calls } = fold([
      requested,
      started,
      finished,
      started,
      { ...finished, durationMs: 80 },
      { type: "tool_call.failed", toolCallId: "tc_1", error: error("OUT_OF_STOCK"), afterMs: 500 },
    ]);
    expect(hourly(points)).toEqual([
      ["toolDuration", "work", bucketOf(120), 1],
      ["toolDuration", "work", bucketOf(80), 1],
      ["codes", "OUT_OF_STOCK", 0, 1],
      ["callAttempts", "work", 2, 1],
    ]);
    expect(tools).toEqual(["work"]);
    expect(calls).toEqual([
      { id: "tc_1", tool: "work", status: "failed", code: "OUT_OF_STOCK", requestedAt: T0, finishedAt: T0 + 500 },
    ]);
  });

  it("measures each handler by its URL, over several folds, and counts its failures", () => {
    const at = (url: string, fields = {}) => [
      { ...started, url },
      { ...finished, ...fields },
    ];
    const first = fold([
      requested,
      ...at("https://a.example/tools", { errorCode: "TIMEOUT" }),
      { ...started, url: "https://b.example/tools" },
    ]);
    const then = fold([{ ...finished, isPending: true }], { state: first.state });
    const handlers = (points: readonly MetricPoint[]) =>
      hourly(points).filter(([metric]) => String(metric).startsWith("handler"));
    expect(handlers(first.points)).toEqual([
      ["handlerDuration", "https://a.example/tools", bucketOf(120), 1],
      ["handlerFailures", "https://a.example/tools", 0, 1],
    ]);
    expect(handlers(then.points)).toEqual([["handlerDuration", "https://b.example/tools", bucketOf(120), 1]]);
  });

  it("measures no handler for other tools, and none whose attempt was interrupted", () => {
    const url = "https://a.example/tools";
    const network = fold([{ ...requested, kind: "network" }, { ...started, url }, finished]);
    const interrupted = fold([requested, { ...started, url }, { ...finished, durationMs: null, isInterruption: true }]);
    for (const { points } of [network, interrupted]) {
      expect(points.filter(({ metric }) => metric.startsWith("handler"))).toEqual([]);
    }
  });

  it("measures only the handler of a call that moves to another kind of tool, or from one", () => {
    const [handler, service] = ["https://a.example/tools", "https://api.example/orders"];
    const moved = (from: string, to: string, urls: readonly string[]) =>
      fold([
        { ...requested, kind: from },
        ...[{ ...started, url: urls[0] }, finished],
        { type: "route.changed", toolCallId: "tc_1", kind: to },
        ...[{ ...started, url: urls[1] }, finished],
      ]).points.flatMap(({ metric, step, label }) => (metric === "handlerDuration" && step === 3_600 ? [label] : []));
    expect(moved("handler", "network", [handler, service])).toEqual([handler]);
    expect(moved("network", "handler", [service, handler])).toEqual([handler]);
  });

  it("measures a call without attempts from its request to its end", () => {
    const { points } = fold([requested, { type: "tool_call.completed", toolCallId: "tc_1", afterMs: 30 }]);
    expect(hourly(points)).toEqual([["toolDuration", "work", bucketOf(30), 1]]);
  });

  it.each<[string, readonly Fields[], string]>([
    ["requested", [], "requested"],
    ["asks a person", [{ type: "approval.requested", toolCallId: "tc_1" }], "waiting_approval"],
    ["is approved", [{ type: "approval.resolved", toolCallId: "tc_1", status: "approved" }], "requested"],
    ["runs", [started], "running"],
    ["waits for a callback", [started, { ...finished, isPending: true }], "waiting_callback"],
    ["waits for input", [{ type: "input.requested", toolCallId: "tc_1", questions: [{}] }], "waiting_input"],
    ["is a task", [{ type: "task.created", toolCallId: "tc_1" }], "waiting_task"],
    [
      "waits for a fallback",
      [{ type: "tool_call.failed", toolCallId: "tc_1", error: error("TIMEOUT", "gateway"), fallbackUntil: "x" }],
      "waiting_fallback",
    ],
    [
      "is cancelled",
      [{ type: "tool_call.failed", toolCallId: "tc_1", error: error("CANCELLED", "gateway") }],
      "cancelled",
    ],
    ["is denied", [{ type: "tool_call.denied", toolCallId: "tc_1", error: error("POLICY_DENIED") }], "denied"],
    ["completes", [{ type: "tool_call.completed", toolCallId: "tc_1" }], "completed"],
    ["ends with its execution", [{ type: "execution.cancelled" }], "cancelled"],
  ])("gives the status of a call that %s", (_what, events, status) => {
    expect(fold([requested, ...events]).calls).toMatchObject([{ id: "tc_1", status }]);
  });

  it("gives the same rows in one step and event by event", () => {
    const events: readonly Fields[] = [
      { type: "execution.started" },
      requested,
      started,
      { type: "execution.waiting", reason: "retry", afterMs: 100 },
      { ...finished, afterMs: 400 },
      { type: "tool_call.completed", toolCallId: "tc_1", afterMs: 410 },
      { type: "execution.completed", afterMs: 420 },
    ];
    const totals = { inputTokens: 70, outputTokens: 7, usd: 0.7 };
    const whole = fold(events, { totals });
    const parts: MetricPoint[] = [];
    let state: string | null = null;
    for (const [index, event] of eventsOf(events).entries()) {
      const used = { inputTokens: 10 * (index + 1), outputTokens: index + 1, usd: (index + 1) / 10 };
      const part = fold([], { events: [event], state, totals: used });
      state = part.state;
      parts.push(...part.points);
    }
    const sums = (points: readonly MetricPoint[]) => {
      const sum: Record<string, number> = {};
      for (const { step, metric, label, at, bucket, value } of points) {
        const key = [step, metric, label, at, bucket].join(" ");
        sum[key] = Math.round(((sum[key] ?? 0) + value) * 1e6) / 1e6;
      }
      return sum;
    };
    expect(sums(parts)).toEqual(sums(whole.points));
    expect([state, whole.state]).toEqual([null, null]);
    expect(hourly(whole.points)).toContainEqual(["waitTime", "retry", bucketOf(300), 1]);
    expect(hourly(whole.points)).toContainEqual(["queueTime", "", bucketOf(40), 1]);
  });

  it("does not take names and codes of models and handlers for labels as they are", () => {
    const { points, tools, calls } = fold([
      { ...requested, name: "\u0000invented", kind: null },
      { type: "tool_call.failed", toolCallId: "tc_1", error: error("no code\u0000".repeat(99)) },
    ]);
    expect([tools, calls.map(({ tool, code }) => [tool, code])]).toEqual([[], [["(unknown)", "(other)"]]]);
    expect(JSON.stringify(points)).not.toMatch(/invented|no code/);
  });
});
