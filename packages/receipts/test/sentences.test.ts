import { createYielder } from "@yagate/lib/async/event-loop";
import { DEFAULT_LIMITS } from "@yagate/protocol";
import { expect, it } from "vitest";
import type { ReadEntry } from "../src/check-record.ts";
import { describeRecord } from "../src/narrative/describe-record.ts";

const at = "2026-11-21T06:00:00.000Z";
const USAGE = { inputTokens: 1, outputTokens: 2, toolCalls: 1 };
const FREE = { usd: 0, credits: 0 };
const SIZES = { requestBytes: 1, responseBytes: 0, timings: null };
const errorOf = (code: string, change: Record<string, unknown> = {}) => ({
  code,
  message: `it was ${code}`,
  retryable: false,
  outcome: "none",
  source: "gateway",
  toolName: "pay",
  toolCallId: "tc_1",
  attempts: 0,
  ...change,
});

const requested = {
  type: "tool_call.requested",
  toolCallId: "tc_1",
  turn: 1,
  name: "pay",
  kind: "handler",
  parameters: {},
  sideEffect: null,
  risk: null,
  policyDecision: null,
};

/** The sentences about an attempt and its end, and the summary of its call. */
async function linesOfAttempt(end: Record<string, unknown>, error: Record<string, unknown>) {
  const target = { method: "GET", url: "http://10.1.2.3/admin?k=1", credential: "SHOP", deadline: at };
  const started = { type: "attempt.started", toolCallId: "tc_1", attemptId: "att_1", number: 1, ...target };
  const failed = { type: "tool_call.failed", toolCallId: "tc_1", error };
  const entries = [requested, started, { ...finished, ...end }, failed].map((fields, index) => ({
    event: { at, executionId: "exec_1", seq: index + 1, ...fields },
  }));
  const { lines, calls } = await describeRecord(entries, null, createYielder(5));
  return { texts: lines.slice(1).map(({ text }) => text), calls };
}

it("an attempt that the gateway kept from leaving was not begun", async () => {
  const end = { durationMs: 2, errorCode: "URL_BLOCKED", outcome: "none" };
  const { texts, calls } = await linesOfAttempt(end, errorOf("URL_BLOCKED", { attempts: 1 }));
  expect(texts).toEqual([
    "Attempt 1 of pay, to http://10.1.2.3 (GET), with SHOP, was blocked before anything was sent.",
    "Attempt 1 of pay failed after 2 ms: URL_BLOCKED; nothing was sent.",
    "pay was blocked because its address is not allowed; nothing was sent. URL_BLOCKED: it was URL_BLOCKED.",
  ]);
  expect(calls).toMatchObject([{ outcome: "failed", blocked: true, blockReason: "url_not_allowed" }]);
});

it.each([
  [
    { attempts: 1, source: "handler" },
    "pay failed after 1 attempt. Its handler reported URL_BLOCKED: it was URL_BLOCKED.",
  ],
  [
    { attempts: 0, source: "handler" },
    "pay failed after 0 attempts. Its handler reported URL_BLOCKED: it was URL_BLOCKED.",
  ],
  [{ attempts: 2, source: "gateway" }, "pay failed after 2 attempts. URL_BLOCKED: it was URL_BLOCKED."],
])("a call that failed with a code of blocked ones was not blocked by that alone: %j", async (change, text) => {
  const end = { durationMs: 2, errorCode: "URL_BLOCKED", outcome: "none", httpStatus: 500 };
  const { texts } = await linesOfAttempt(end, errorOf("URL_BLOCKED", change));
  expect(texts.at(-1)).toBe(text);
});

it("an attempt whose handler answered with a code of the gateway's was begun", async () => {
  const end = { durationMs: 2, errorCode: "RATE_LIMITED", outcome: "none", httpStatus: 429 };
  const { texts, calls } = await linesOfAttempt(end, errorOf("RATE_LIMITED", { attempts: 1, source: "handler" }));
  expect(texts[0]).toBe("Attempt 1 of pay started, to http://10.1.2.3 (GET), with SHOP.");
  expect(calls).toMatchObject([{ outcome: "failed", credentials: ["SHOP"] }]);
  expect(calls[0]?.blocked).toBeUndefined();
});

/** What is said of an event on the call `pay`. */
async function lineOf(event: Record<string, unknown> & { readonly type: string }): Promise<string | undefined> {
  const entries: readonly ReadEntry[] = [requested, event].map((fields, index) => ({
    event: { at, executionId: "exec_1", seq: index + 1, ...fields },
  }));
  return (await describeRecord(entries, null, createYielder(5))).lines[1]?.text;
}

const call = { toolCallId: "tc_1" };
const finished = { type: "attempt.finished", ...call, attemptId: "att_1", number: 1, durationMs: 10_000.2, ...SIZES };
const asked = {
  model: "openai/gpt-5",
  startedAt: at,
  durationMs: 5,
  requests: 1,
  usage: { inputTokens: 10, outputTokens: 5 },
  cost: FREE,
};
const resolved = { type: "approval.resolved", ...call, approvalId: "apr_1" };

it.each<[string, Record<string, unknown> & { readonly type: string }, string]>([
  [
    "an attempt that is tried again",
    { ...finished, httpStatus: 503, errorCode: "HANDLER_ERROR", outcome: "none", retryAt: at },
    "Attempt 1 of pay failed after 10000 ms with HTTP status 503: HANDLER_ERROR. The next attempt is at 2026-11-21T06:00:00.000Z.",
  ],
  [
    "an attempt with an unknown outcome",
    { ...finished, errorCode: "TIMEOUT", outcome: "unknown" },
    "Attempt 1 of pay failed after 10000 ms: TIMEOUT; it is unknown whether it took effect.",
  ],
  [
    "an attempt that is made",
    {
      type: "attempt.started",
      ...call,
      deadline: at,
      attemptId: "att_1",
      number: 2,
      method: "POST",
      url: "https://a.example/pay?k=1",
    },
    "Attempt 2 of pay started, to https://a.example (POST).",
  ],
  [
    "an attempt without a listener",
    { ...finished, errorCode: "CONNECTION_FAILED", outcome: "none" },
    "Attempt 1 of pay failed after 10000 ms: CONNECTION_FAILED; nothing was sent.",
  ],
  [
    "an attempt that was no longer what a person had allowed",
    { ...finished, durationMs: 0, errorCode: "POLICY_DENIED", outcome: "none" },
    "Attempt 1 of pay failed after 0 ms: POLICY_DENIED; nothing was sent.",
  ],
  [
    "an attempt that a crash cut off",
    { ...finished, durationMs: null, isInterruption: true },
    "Attempt 1 of pay was in progress when the gateway stopped.",
  ],
  [
    "an attempt whose response another process can read",
    {
      ...{ type: "attempt.resumable", ...call, attemptId: "att_1", number: 1 },
      resumption: { sessionId: "s", protocolVersion: "2025-11-25", eventId: "1" },
    },
    "The response to attempt 1 of pay can be read by another process.",
  ],
  [
    "an attempt that reads a response",
    {
      ...{ type: "attempt.started", ...call, attemptId: "att_2", number: 2, isResumption: true },
      ...{ method: "GET", url: "https://a.example/mcp", deadline: "2026-11-21T06:00:10.000Z" },
    },
    "Attempt 2 of pay started, to https://a.example (GET). It only reads the response to the attempt before it.",
  ],
  [
    "an attempt that is answered later",
    { ...finished, httpStatus: 202, isPending: true },
    "Attempt 1 of pay completed with HTTP status 202 after 10000 ms. The result will arrive by callback.",
  ],
  [
    "an answer that came too late",
    { type: "tool_call.late", ...call, attemptId: "att_1", httpStatus: 200, elapsedMs: 12_000 },
    "A response to pay arrived with HTTP status 200 after 12000 ms, after its attempt had timed out. It was recorded, but not used.",
  ],
  [
    "an address that may not be called",
    { type: "tool_call.failed", ...call, error: errorOf("DNS_BLOCKED") },
    "pay was blocked because its address is not allowed; nothing was sent. DNS_BLOCKED: it was DNS_BLOCKED.",
  ],
  [
    "a budget that is used up",
    { type: "tool_call.failed", ...call, error: errorOf("BUDGET_EXCEEDED") },
    "pay was blocked by a limit of the execution; nothing was sent. BUDGET_EXCEEDED: it was BUDGET_EXCEEDED.",
  ],
  [
    "a call with an unknown outcome",
    { type: "tool_call.failed", ...call, error: errorOf("OUTCOME_UNKNOWN", { attempts: 1, outcome: "unknown" }) },
    "pay failed after 1 attempt. OUTCOME_UNKNOWN: it was OUTCOME_UNKNOWN. It is unknown whether it took effect.",
  ],
  [
    "a handler's error of a name of the gateway's",
    { type: "tool_call.failed", ...call, error: errorOf("POLICY_DENIED", { attempts: 1, source: "handler" }) },
    "pay failed after 1 attempt. Its handler reported POLICY_DENIED: it was POLICY_DENIED.",
  ],
  [
    "a refusal by a person",
    { ...resolved, status: "denied", keyId: null, reason: "too much" },
    'The bootstrap key denied pay. Reason: "too much".',
  ],
  [
    "an approval by the key that asked",
    { ...resolved, status: "approved", keyId: "key_1", isSelfApproval: true },
    "The API key key_1 approved pay. The same key started the execution.",
  ],
  [
    "an approval without a decision",
    { ...resolved, status: "expired" },
    "The approval request for pay expired without a decision.",
  ],
  [
    "an approval that was not needed any more",
    { ...resolved, status: "cancelled" },
    "The approval request for pay was withdrawn: the execution ended before a decision was made.",
  ],
  [
    "a fallback that was declined",
    { type: "fallback.received", ...call, isDeclined: true },
    "The caller declined to supply a fallback for pay.",
  ],
  [
    "a callback",
    { type: "callback.received", ...call, bodyHash: "sha256:1", result: { paid: true } },
    'A callback delivered the result of pay: {"paid":true}.',
  ],
  [
    "a round of questions to a person",
    {
      ...{ type: "input.requested", ...call, round: 2, expiresAt: at },
      questions: [
        { key: "colour", mode: "form", message: "Which\ncolour?", schema: { type: "object" } },
        { key: "page", mode: "url", message: "Sign here.", url: "https://a.example/" },
      ],
    },
    `pay asked 2 questions in round 2, until ${at}: a form: "Which\\ncolour?"; to open "https://a.example/": "Sign here.".`,
  ],
  [
    "a round without questions",
    { type: "input.requested", ...call, round: 1, questions: [], expiresAt: at },
    "pay asked to be called again, in round 1.",
  ],
  [
    "answers of a person",
    {
      ...{ type: "input.received", ...call, round: 1, keyId: null },
      answers: { colour: { action: "accept", content: { colour: "green" } } },
    },
    'The bootstrap key answered round 1 of the questions of pay: {"colour":{"action":"accept","content":{"colour":"green"}}}.',
  ],
  [
    "answers that a server received",
    { type: "input.delivered", ...call, round: 1 },
    "The server of pay received the answers of round 1.",
  ],
  [
    "questions that nobody answered in time",
    { type: "input.withdrawn", ...call, round: 1, status: "expired" },
    "Round 1 of the questions of pay expired without an answer.",
  ],
  [
    "questions that were withdrawn",
    { type: "input.withdrawn", ...call, round: 1, status: "cancelled" },
    "Round 1 of the questions of pay was withdrawn: the call ended before an answer.",
  ],
  [
    "a call that goes on as a task",
    {
      type: "task.created",
      ...call,
      attemptId: "att_1",
      taskId: "t-1",
      ttlMs: null,
      pollIntervalMs: 5_000,
      expiresAt: at,
    },
    `The server continued pay as its task "t-1". The gateway polled it until ${at} at most.`,
  ],
  [
    "a result from a cache",
    { type: "tool_call.completed", ...call, result: 1, via: "cache", cost: FREE },
    "pay completed with a result from a cache: 1.",
  ],
  [
    "a tool that asked the model",
    { type: "tool_call.completed", ...call, result: 1, cost: { usd: 0.5, credits: 0 }, modelCalls: [asked, asked] },
    "pay completed: 1. It called the model openai/gpt-5 2 times (20 input tokens and 10 output tokens). It cost 0.5 USD.",
  ],
  [
    "a tool that asked the model in vain",
    {
      type: "tool_call.failed",
      ...call,
      error: errorOf("MODEL_ERROR"),
      modelCalls: [{ ...asked, error: { code: "MODEL_ERROR", message: "away" } }],
    },
    "pay failed after 0 attempts. MODEL_ERROR: it was MODEL_ERROR. It called the model openai/gpt-5 1 time, 1 without a reply (10 input tokens and 5 output tokens).",
  ],
  [
    "a limit",
    { type: "limit.reached", limit: "maxWallTimeMs", message: "the time limit of 5 ms was reached" },
    "The execution reached its limit maxWallTimeMs: the time limit of 5 ms was reached.",
  ],
  [
    "a restart",
    { type: "execution.waiting", reason: "restart", until: at, isInterruption: true },
    "The gateway stopped and restarted; the execution continued.",
  ],
  [
    "a failure",
    {
      type: "execution.failed",
      error: { code: "MODEL_ERROR", message: "the provider is away" },
      usage: USAGE,
      cost: { usd: 0.5, credits: 2 },
    },
    "The execution failed. MODEL_ERROR: the provider is away. Total: 1 tool call, 1 input token and 2 output tokens, 0.5 USD and 2 credits.",
  ],
  [
    "a cancellation",
    { type: "execution.cancelled", usage: USAGE, cost: { ...FREE, isPartial: true } },
    "The execution was cancelled. Total: 1 tool call, 1 input token and 2 output tokens, at least 0 USD (not all of it has a known price).",
  ],
  [
    "a model that was refused its answer",
    { type: "model.failed", turn: 2, attempt: 1, error: { code: "MODEL_ERROR", message: "429" }, retryAt: null },
    "Model turn 2: the model failed with MODEL_ERROR: 429. There is no retry.",
  ],
  [
    "what the provider ran itself",
    {
      type: "model.responded",
      turn: 2,
      attempt: 1,
      text: "hi",
      finishReason: "stop",
      toolCalls: [],
      usage: USAGE,
      cost: FREE,
      hostedCalls: [{ id: "1", name: "web_search", input: { q: "x" }, status: "completed" }],
      sources: [{ url: "https://a.example/" }],
    },
    'Model turn 2: the model replied "hi" (1 input token and 2 output tokens). The model\'s provider ran web_search with {"q":"x"}: it completed. Sources: https://a.example/.',
  ],
])("describes %s", async (_what, event, text) => {
  expect((await lineOf(event))?.replace(" This version of the gateway can't interpret all of it.", "")).toBe(text);
});

it.each([
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [21, "21st"],
])("counts request %i of a model turn as the %s", async (attempt, ordinal) => {
  expect(await lineOf({ type: "model.requested", turn: 1, attempt, model: "openai/gpt-5" })).toContain(
    `was called for the ${ordinal} time.`,
  );
});

it("names an entry that it can't understand, on one line", async () => {
  expect(await lineOf({ type: "from.the\nfuture\u001b[2J" })).toBe(
    'An entry has the type "from.the\\nfuture\\u001b[2J". This version of the gateway can\'t interpret all of it.',
  );
});

it("cuts what is long, between characters", async () => {
  const text = await lineOf({ type: "tool_call.completed", ...call, result: "\u{1f600}".repeat(400), cost: FREE });
  expect(text).toMatch(/^pay completed: "(\u{1f600}){299}… \(102 more characters\)\.$/u);
});

it.each<[string, string, string]>([
  ["a line of its own", "pay\n  7  It was allowed.", String.raw`pay\n \u00207 \u0020It was allowed.`],
  ["fillers and blanks that can't be seen", "pay\u3164\u2800\u00a0", String.raw`pay\u3164\u2800\u00a0`],
  ["a turned direction, hidden selectors", "\u202epay\ufe0f\u{e0100}", String.raw`\u202epay\ufe0f\udb40\udd00`],
])("shows %s in a name as what it is", async (_what, name, shown) => {
  expect(await lineOf({ ...requested, name })).toContain(`The model requested ${shown} (`);
});

it("a subject of an access token cannot write a sentence of its own", async () => {
  const subject = 'oidc:https://login.example.com:a" approved pay. The bootstrap key';
  const started = { type: "execution.started", agentId: "agt_1", agentVersion: 1, input: "go" };
  const entry = { event: { at, executionId: "exec_1", seq: 1, ...started, limits: DEFAULT_LIMITS } };
  const { lines } = await describeRecord([entry], subject, createYielder(5));
  expect(lines.map(({ text }) => text)).toEqual([
    'The subject "oidc:https://login.example.com:a\\" approved pay. The bootstrap key" started the agent agt_1, version 1, with the input "go".',
  ]);
});
