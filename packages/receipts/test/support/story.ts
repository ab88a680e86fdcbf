import type { EventBody } from "@yagate/execution-machine/event-log";
import { DEFAULT_LIMITS, type ExecutionEvent } from "@yagate/protocol";
import type { EventEntry, ExecutionSummary, NewExecution } from "@yagate/store/port";

/** The moment at which the story begins. */
export const BEGAN = Date.parse("2026-11-21T06:00:00.000Z");

export const IDS = {
  workspace: "ws_shop",
  agent: "agt_support",
  key: "key_desk",
  lookup: "tc_lookup",
  refund: "tc_refund",
  mail: "tc_mail",
} as const;

const FREE = { usd: 0, credits: 0 };
const NO_TIMINGS = { dns: null, connect: null, tls: null, firstByte: null };

/** One append after the other; a second passes with every event. */
function storyOf(other: string): readonly (readonly (EventBody & { readonly message?: unknown })[])[] {
  const { lookup, refund, mail } = IDS;
  const callOf = (id: string, name: string, parameters: Record<string, string | number>) =>
    ({ toolCallId: `${id}${other}`, name, parameters }) as const;
  const calls = [
    callOf(lookup, "lookup_order", { orderId: "ORD-12345" }),
    callOf(refund, "refund", { orderId: "ORD-12345", usd: 20 }),
    callOf(mail, "send_mail", { to: "a@b.example", text: "‮done" }),
  ];
  const requested = calls.map((call, index) => ({
    ...call,
    type: "tool_call.requested" as const,
    turn: 1,
    kind: "handler" as const,
    sideEffect: null,
    risk: null,
    policyDecision:
      index === 1
        ? { decision: "approval_required" as const, reason: 'the approval mode "writes" asks a person first' }
        : index === 2
          ? { decision: "denied" as const, reason: "the agent's policy does not allow tools of the kind handler" }
          : { decision: "allowed" as const, reason: "listed by the agent" },
  }));
  const errorOf = (id: string, toolName: string, code: string, message: string, source: "gateway" | "handler") => ({
    code,
    message,
    source,
    toolName,
    toolCallId: `${id}${other}`,
    retryable: false,
    outcome: "none" as const,
    attempts: source === "gateway" ? 0 : 1,
  });
  const attempt = (id: string, number: number) => ({
    toolCallId: `${id}${other}`,
    attemptId: `att_${id}_${number}${other}`,
    number,
  });
  const sent = {
    method: "POST",
    url: "https://shop.example:8443/tools?token=t0ps3cret",
    deadline: "2026-11-21T06:01:00.000Z",
  };
  const finished = {
    type: "attempt.finished" as const,
    durationMs: 12.4,
    timings: NO_TIMINGS,
    requestBytes: 300,
    responseBytes: 80,
  };
  return [
    [
      {
        type: "execution.started",
        agentId: IDS.agent,
        agentVersion: 1,
        input: "Where is order ORD-12345? Give the customer 20 USD back if it is late.",
        limits: DEFAULT_LIMITS,
      },
      { type: "model.requested", turn: 1, attempt: 1, model: "openai/gpt-5" },
      {
        type: "model.responded",
        turn: 1,
        attempt: 1,
        text: "",
        finishReason: "tool_calls",
        toolCalls: calls,
        usage: { inputTokens: 210, outputTokens: 40 },
        cost: { usd: 0.0011, credits: 0 },
        message: [{ type: "reasoning", text: "look first", providerMetadata: { openai: { itemId: "rs_1" } } }],
      },
      ...requested,
      {
        type: "tool_call.denied",
        toolCallId: `${mail}${other}`,
        error: errorOf(mail, "send_mail", "POLICY_DENIED", "send_mail may not run", "gateway"),
      },
      { type: "attempt.started", ...attempt(lookup, 1), ...sent },
      {
        type: "approval.requested",
        toolCallId: `${refund}${other}`,
        approvalId: `apr_1${other}`,
        expiresAt: "2026-11-28T06:00:09.000Z",
        requestHash: "sha256:1111",
      },
    ],
    [
      { ...finished, ...attempt(lookup, 1), httpStatus: 200 },
      {
        type: "tool_call.completed",
        toolCallId: `${lookup}${other}`,
        result: { status: "late", by: "3 days" },
        via: "handler",
        cost: FREE,
      },
      {
        type: "approval.resolved",
        toolCallId: `${refund}${other}`,
        approvalId: `apr_1${other}`,
        status: "approved",
        keyId: "key_boss",
        comment: "not more than 10",
        parameters: { orderId: "ORD-12345", usd: 10 },
        requestHash: "sha256:2222",
      },
    ],
    [{ type: "attempt.started", ...attempt(refund, 1), ...sent }],
    [
      { ...finished, ...attempt(refund, 1), httpStatus: 200, errorCode: "DECLINED", outcome: "none" },
      {
        type: "tool_call.failed",
        toolCallId: `${refund}${other}`,
        error: errorOf(refund, "refund", "DECLINED", "the bank declined", "handler"),
        fallbackUntil: "2026-11-21T06:00:45.000Z",
      },
      { type: "execution.waiting", reason: "fallback", until: "2026-11-21T06:00:45.000Z" },
    ],
    [{ type: "fallback.received", toolCallId: `${refund}${other}`, isDeclined: false, result: { voucher: "V-7" } }],
    [
      {
        type: "tool_call.completed",
        toolCallId: `${refund}${other}`,
        result: { voucher: "V-7" },
        via: "fallback",
        cost: { usd: 0.25, credits: 1 },
      },
      { type: "model.requested", turn: 2, attempt: 1, model: "openai/gpt-5" },
      {
        type: "model.failed",
        turn: 2,
        attempt: 1,
        error: { code: "MODEL_ERROR", message: "the provider answered 503" },
        retryAt: "2026-11-21T06:00:21.000Z",
      },
      { type: "model.requested", turn: 2, attempt: 2, model: "openai/gpt-5" },
      {
        type: "model.responded",
        turn: 2,
        attempt: 2,
        text: "It is 3 days late; the customer has a voucher.",
        finishReason: "stop",
        toolCalls: [],
        usage: { inputTokens: 300, outputTokens: 20 },
        cost: { usd: 0.0012, credits: 0, isPartial: true },
        message: [{ type: "text", text: "It is 3 days late; the customer has a voucher." }],
      },
      {
        type: "execution.completed",
        stopReason: "final",
        output: { text: "It is 3 days late; the customer has a voucher." },
        usage: USAGE,
        cost: COST,
      },
    ],
  ];
}

const USAGE = { inputTokens: 510, outputTokens: 60, toolCalls: 3 };
const COST = { usd: 0.2523, credits: 1, isPartial: true };

/** The execution that the story is of. */
export function storyExecution(id: string): NewExecution {
  return {
    id,
    workspaceId: IDS.workspace,
    agentId: IDS.agent,
    agentVersion: 1,
    startedByKeyId: IDS.key,
    request: {
      input: "Where is order ORD-12345? Give the customer 20 USD back if it is late.",
      caller: { user: "u-1" },
    },
    createdAt: BEGAN,
    owner: "owner-1",
    leaseUntil: BEGAN + 10_000,
  };
}

/** The appends of the execution, in order. `suffix` makes the ids of a second execution unique. */
export function storyAppends(executionId: string, suffix = ""): readonly (readonly EventEntry[])[] {
  let seq = 0;
  return storyOf(suffix).map((bodies) =>
    bodies.map(({ message, ...body }) => {
      seq += 1;
      const at = new Date(BEGAN + seq * 1_000).toISOString();
      // One kind of body at a time is one kind of event; the compiler only sees all of them.
      const event = { ...body, seq, at, executionId } as ExecutionEvent;
      return message === undefined ? { event } : { event, assistantMessage: message };
    }),
  );
}

/** The summary that goes along with an append. */
export function storySummary(entries: readonly EventEntry[]): ExecutionSummary {
  const end = entries.at(-1)?.event;
  const isEnd = end?.type === "execution.completed";
  return {
    status: isEnd ? "completed" : "running",
    stopReason: isEnd ? "final" : null,
    output: isEnd ? { text: end.output.text } : null,
    error: null,
    usage: USAGE,
    cost: isEnd ? COST : FREE,
    startedAt: BEGAN,
    finishedAt: isEnd ? Date.parse(end.at) : null,
  };
}
