import { ROOT_CONTEXT } from "@opentelemetry/api";
import { parseModelName } from "@yagate/models/model-name";
import {
  DEFAULT_LIMITS,
  type ExecutionEvent,
  executionEventSchema,
  type JsonValue,
  type Projection,
} from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { executionSpans, type SpanOptions } from "../src/spans/execution-spans.ts";
import type { PlannedSpan } from "../src/spans/planned-span.ts";
import { writeSpans } from "../src/spans/write-spans.ts";
import { createRecorder } from "./support/traced-world.ts";

const START = Date.parse("2020-01-01T00:00:00.000Z");
const DAY_MS = 86_400_000;
const usage = { inputTokens: 5, outputTokens: 3, toolCalls: 1, cachedInputTokens: 4, reasoningTokens: 2 };
const cost = { usd: 0.5, credits: 0 };
const error = {
  code: "TIMEOUT",
  message: "too late",
  retryable: false,
  outcome: "unknown",
  source: "gateway",
  toolName: "pay",
  toolCallId: "tc_01k9e5t8b8fxhv3c4n5p6q7r8s",
  attempts: 1,
};
const toolCallId = error.toolCallId;
const attempt = { toolCallId, attemptId: "att_01k9e5t8b8fxhv3c4n5p6q7r8s", number: 1 };

type Step = readonly [afterMs: number, type: ExecutionEvent["type"], fields?: Record<string, unknown>];

/** A log whose events are as the protocol has them. */
function logOf(steps: readonly Step[]): readonly ExecutionEvent[] {
  return steps.map(([afterMs, type, fields], index) =>
    executionEventSchema.parse({
      type,
      seq: index + 1,
      at: new Date(START + afterMs).toISOString(),
      executionId: "exec_01k9e5t8b8fxhv3c4n5p6q7r8s",
      ...fields,
    }),
  );
}

const started: Step = [
  10,
  "execution.started",
  { agentId: "agt_01k9e5t8b8fxhv3c4n5p6q7r8s", agentVersion: 3, input: "hello", limits: DEFAULT_LIMITS },
];
const asked: Step = [20, "model.requested", { turn: 1, attempt: 1, model: "anthropic/claude-x" }];
const calls: Step = [
  500,
  "model.responded",
  {
    turn: 1,
    attempt: 1,
    text: "",
    finishReason: "tool_calls",
    toolCalls: [{ toolCallId, name: "pay", parameters: {} }],
    usage,
    cost,
    sources: [{ url: "https://a.example" }],
  },
];
const call: Step = [
  500,
  "tool_call.requested",
  {
    toolCallId,
    turn: 1,
    name: "pay",
    kind: "handler",
    parameters: {},
    sideEffect: null,
    risk: null,
    policyDecision: null,
  },
];
const sent: Step = [
  600,
  "attempt.started",
  { ...attempt, method: "POST", url: "https://pay.example/x?k=1", deadline: new Date(START + 9_000).toISOString() },
];
const failed = { ...attempt, durationMs: 100, timings: null, requestBytes: 10, responseBytes: 0 };
const timedOut: Step = [800, "attempt.finished", { ...failed, errorCode: "TIMEOUT", outcome: "unknown" }];
const question = { model: "anthropic/claude-x", usage, cost, requests: 1 };
const modelCalls = [
  { ...question, startedAt: new Date(START + 510).toISOString(), durationMs: 50, finishReason: "stop" },
  {
    ...question,
    startedAt: new Date(START + 600).toISOString(),
    durationMs: 10,
    error: { code: "MODEL_ERROR", message: "busy" },
  },
];
const end: Step = [DAY_MS, "execution.completed", { stopReason: "final", output: { text: "done" }, usage, cost }];

function spansOf(
  steps: readonly Step[],
  { content, project }: Partial<Pick<SpanOptions, "content" | "project">> = {},
): PlannedSpan {
  return executionSpans(
    {
      id: "exec_1",
      workspaceId: "ws_1",
      agentId: "agt_1",
      agentVersion: 3,
      agentName: "Desk",
      createdAt: START,
      events: logOf(steps),
    },
    {
      content: content ?? "none",
      modelOf: (name) => parseModelName(name) ?? { provider: "other", model: name },
      project: project ?? ((result) => result),
    },
  );
}

/** Name, begin and end after the start, and the type of its error, of a span and all below it. */
function shapeOf({ name, startedAt, endedAt, attributes, children }: PlannedSpan): unknown {
  const own = [name, startedAt - START, (endedAt ?? Number.NaN) - START, attributes["error.type"] ?? null];
  return children.length === 0 ? own : [...own, children.map(shapeOf)];
}

const again = (afterMs: number, fields: Record<string, unknown>): Step => [
  afterMs,
  "model.failed",
  { turn: 1, attempt: 1, error: { code: "MODEL_ERROR", message: "busy" }, retryAt: null, ...fields },
];

describe("the spans of a log", () => {
  it("say how many tools were deferred, and how many each call has loaded", () => {
    const [afterMs, type, fields] = started;
    const deferral = { shown: ["pinned"], deferred: 200, deferredTokens: 27_000 };
    const root = spansOf([
      [afterMs, type, { ...fields, toolSearch: deferral }],
      asked,
      calls,
      call,
      [900, "tool_call.completed", { toolCallId, result: { tools: [] }, cost }],
      [900, "tools.loaded", { toolCallId, tools: ["a", "b"], reason: "search" }],
      [910, "tools.loaded", { toolCallId, tools: ["c"], reason: "call" }],
      end,
    ]);
    expect(root.attributes).toMatchObject({
      "yagate.tool_search.deferred": 200,
      "yagate.tool_search.deferred_tokens": 27_000,
      "yagate.tool_search.loaded": 3,
    });
    const attributes = root.children.find(({ name }) => name === "execute_tool pay")?.attributes;
    expect(attributes).toMatchObject({ "yagate.tool_search.loaded": 1, "yagate.tool_search.reason": "call" });
    expect(spansOf([started, end]).attributes).not.toHaveProperty("yagate.tool_search.deferred");
  });

  it.each<[string, readonly Step[], unknown]>([
    ["nothing but its end", [end], ["invoke_agent Desk", 0, DAY_MS, null]],
    [
      "a call that timed out, whose caller answered for it",
      [
        started,
        asked,
        calls,
        call,
        sent,
        timedOut,
        [810, "tool_call.failed", { toolCallId, error, fallbackUntil: new Date(START + 5_000).toISOString() }],
        [900, "fallback.received", { toolCallId, isDeclined: false, result: 1 }],
        [910, "tool_call.completed", { toolCallId, result: 1, via: "fallback", cost }],
        end,
      ],
      [
        "invoke_agent Desk",
        0,
        DAY_MS,
        null,
        [
          ["chat claude-x", 20, 500, null],
          ["execute_tool pay", 500, 910, null, [["POST", 700, 800, "TIMEOUT"]]],
        ],
      ],
    ],
    [
      "a call that asked the model, once in vain",
      [started, asked, calls, call, [900, "tool_call.completed", { toolCallId, result: 1, cost, modelCalls }], end],
      [
        "invoke_agent Desk",
        0,
        DAY_MS,
        null,
        [
          ["chat claude-x", 20, 500, null],
          [
            "execute_tool pay",
            500,
            900,
            null,
            [
              ["chat claude-x", 510, 560, null],
              ["chat claude-x", 600, 610, "MODEL_ERROR"],
            ],
          ],
        ],
      ],
    ],
    [
      "a turn that was asked for twice",
      [
        started,
        asked,
        again(200, { retryAt: new Date(START + 300).toISOString() }),
        [300, "model.requested", { turn: 1, attempt: 2, model: "anthropic/claude-x" }],
        calls,
        end,
      ],
      ["invoke_agent Desk", 0, DAY_MS, null, [["chat claude-x", 20, 500, null]]],
    ],
    [
      "a turn that failed for good",
      [
        started,
        asked,
        again(200, {}),
        [210, "execution.failed", { error: { code: "MODEL_ERROR", message: "x" }, usage, cost }],
      ],
      ["invoke_agent Desk", 0, 210, "MODEL_ERROR", [["chat claude-x", 20, 200, "MODEL_ERROR"]]],
    ],
    [
      "a call that was under way when it was cancelled",
      [
        started,
        asked,
        calls,
        call,
        sent,
        [700, "execution.cancel_requested"],
        [900, "execution.cancelled", { usage, cost }],
      ],
      [
        "invoke_agent Desk",
        0,
        900,
        null,
        [
          ["chat claude-x", 20, 500, null],
          ["execute_tool pay", 500, 900, "CANCELLED", [["POST", 600, 900, "CANCELLED"]]],
        ],
      ],
    ],
  ])("of %s", (_name, steps, expected) => {
    expect(shapeOf(spansOf(steps))).toEqual(expected);
  });

  it("have tokens, costs, citations and what happened on the way", () => {
    const root = spansOf([
      started,
      asked,
      again(200, { retryAt: new Date(START + 300).toISOString() }),
      calls,
      call,
      end,
    ]);
    const [turn] = root.children;
    expect(turn?.attributes).toMatchObject({
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "claude-x",
      "gen_ai.usage.input_tokens": 5,
      "gen_ai.usage.output_tokens": 3,
      "gen_ai.usage.cache_read.input_tokens": 4,
      "gen_ai.usage.reasoning.output_tokens": 2,
      "yagate.cost.usd": 0.5,
      "yagate.citations": 1,
    });
    expect(turn?.events).toEqual([
      {
        name: "model.failed",
        at: START + 200,
        attributes: { "error.type": "MODEL_ERROR", "yagate.attempt.number": 1, "yagate.is_interruption": false },
      },
    ]);
  });

  it("say why a model's reply could not be read", () => {
    const unread = { code: "MODEL_ERROR", message: "unreadable", developerMessage: "choices: expected array" };
    const [turn] = spansOf([started, asked, again(200, { error: unread }), end]).children;
    const reason = { "error.type": "MODEL_ERROR", "error.message": "choices: expected array" };
    expect(turn?.attributes).toMatchObject(reason);
    expect(turn?.events).toMatchObject([{ name: "model.failed", attributes: reason }]);
  });

  it("have equal hashes of equal arguments, in whatever order a model wrote them", () => {
    const hashOf = (parameters: object) => {
      const [at, type, fields] = call;
      const written: Step = [at, type, { ...fields, parameters }];
      return spansOf([started, asked, calls, written, end]).children[1]?.attributes["yagate.tool.input_hash"];
    };
    expect(hashOf({ a: 1, b: [2, 3] })).toBe(hashOf({ b: [2, 3], a: 1 }));
    expect(hashOf({ a: 1, b: [2, 3] })).not.toBe(hashOf({ a: 1, b: [3, 2] }));
  });

  it.each<[string, object, object, unknown]>([
    ["shows less", {}, { projection: { redact: ["$.card"] } }, { redact: ["$.card"] }],
    ["shows everything", { projection: { redact: ["$.card"] } }, {}, undefined],
  ])("are those of the capability to which a call has moved, also if it %s", (_what, before, after, expected) => {
    const [at, type, fields] = call;
    const capability = { key: "shop.a", version: "1" };
    const policyDecision = { decision: "allowed", reason: "reads are allowed" };
    const change = { kind: "network", sideEffect: "read_only", risk: "external_read", policyDecision };
    const moved: Step = [
      510,
      "route.changed",
      {
        ...{ toolCallId, from: capability, to: { key: "shop.b", version: "1" } },
        ...{ error: { code: "TIMEOUT", message: "too late" }, ...change, ...after },
      },
    ];
    const done: Step = [520, "tool_call.completed", { toolCallId, result: { card: "4111" }, cost }];
    const projected: unknown[] = [];
    const project = (result: JsonValue, projection: Projection) => {
      projected.push(projection);
      return result;
    };
    const steps: readonly Step[] = [
      started,
      asked,
      calls,
      [at, type, { ...fields, capability, ...before }],
      moved,
      done,
    ];
    const [, span] = spansOf([...steps, end], { content: "preview", project }).children;
    expect(projected).toEqual(expected === undefined ? [] : [expected]);
    expect(span?.attributes).toMatchObject({
      "gen_ai.tool.type": "extension",
      "yagate.capability": "shop.b",
      "yagate.tool.kind": "network",
      "yagate.tool.side_effect": "read_only",
      "yagate.tool.risk": "external_read",
      "yagate.policy.decision": "allowed",
    });
  });

  it("say who had to be asked, and hash the arguments that are sent", () => {
    const approvalId = "apr_01k9e5t8b8fxhv3c4n5p6q7r8s";
    const asks: Step = [
      510,
      "approval.requested",
      { toolCallId, approvalId, expiresAt: new Date(START + 9_000).toISOString(), requestHash: "sha256:00" },
    ];
    const answers = (rest: object): Step => [
      600,
      "approval.resolved",
      { toolCallId, approvalId, status: "approved", keyId: "key_planted", comment: "planted", ...rest },
    ];
    const callOf = (rest: object) => spansOf([started, asked, calls, call, asks, answers(rest), end]).children[1];
    const plain = callOf({});
    const edited = callOf({ parameters: { amount: 1 } });
    expect(plain?.events.map(({ name }) => name)).toEqual(["approval.requested", "approval.resolved"]);
    expect(plain?.attributes).toMatchObject({ "yagate.approval.status": "approved" });
    expect(edited?.attributes).toMatchObject({ "yagate.approval.is_edited": true });
    expect(edited?.attributes["yagate.tool.input_hash"]).not.toBe(plain?.attributes["yagate.tool.input_hash"]);
    expect(JSON.stringify([plain, edited])).not.toContain("planted");
  });

  it("keep times before this process, and ids that were sent", () => {
    const recorder = createRecorder();
    const root = spansOf([started, asked, calls, call, sent, timedOut, end]);
    writeSpans(recorder.provider.getTracer("test"), root, ROOT_CONTEXT, "c".repeat(32));
    const written = new Map(recorder.all().map((span) => [span.name, span]));
    const seconds = (name: string) => [written.get(name)?.startTime[0], written.get(name)?.endTime[0]];
    expect(seconds("invoke_agent Desk")).toEqual([START / 1_000, (START + DAY_MS) / 1_000]);
    expect(written.get("POST")?.startTime).toEqual([START / 1_000, 700_000_000]);
    expect(recorder.all().map((span) => span.spanContext().traceId)).toEqual(Array(4).fill("c".repeat(32)));
    const attemptSpan = root.children[1]?.children[0];
    expect(written.get("POST")?.spanContext().spanId).toBe(attemptSpan?.spanId);
  });
});
