import { type Agent, DEFAULT_LIMITS, type Execution, type ToolCallRecord } from "@yagate/protocol";

export const AGENT_ID = "agt_01";
export const EXECUTION_ID = "exec_01";
export const AT = "2026-11-21T06:00:00.000Z";
/** In a week. */
export const LATER = "2026-11-28T06:00:00.000Z";

const NO_COST = { usd: 0, credits: 0 };
const USAGE = { inputTokens: 10, outputTokens: 5, toolCalls: 1 };

export function agentRecord(changes: Partial<Agent> = {}): Agent {
  return {
    id: AGENT_ID,
    version: 1,
    name: "orders",
    model: "scripted/keyword",
    systemPrompt: "",
    tools: [],
    limits: { ...DEFAULT_LIMITS },
    integrations: [],
    credentials: [],
    webhookUrls: [],
    policy: { network: false, approval: "destructive" },
    createdAt: AT,
    updatedAt: AT,
    ...changes,
  };
}

export function executionRecord(changes: Partial<Execution> = {}): Execution {
  return {
    id: EXECUTION_ID,
    agentId: AGENT_ID,
    agentVersion: 1,
    status: "completed",
    stopReason: "final",
    input: "where is ORD-1?",
    output: { text: "on its way" },
    error: null,
    usage: USAGE,
    cost: NO_COST,
    metadata: {},
    mode: "live",
    createdAt: AT,
    startedAt: AT,
    finishedAt: AT,
    ...changes,
  };
}

export function toolCallRecord(id: string, changes: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return {
    id,
    executionId: EXECUTION_ID,
    turn: 1,
    name: "lookup_order",
    kind: "handler",
    parameters: { orderId: "ORD-1" },
    status: "completed",
    risk: "read_only",
    policyDecision: null,
    cost: NO_COST,
    requestedAt: AT,
    finishedAt: AT,
    attempts: [],
    ...changes,
  };
}

const numbered = (seq: number, type: string, fields: object) => ({
  type,
  seq,
  at: AT,
  executionId: EXECUTION_ID,
  ...fields,
});

/** Events as objects, by what happens. */
export const event = {
  started: (seq: number) =>
    numbered(seq, "execution.started", {
      agentId: AGENT_ID,
      agentVersion: 1,
      input: "where is ORD-1?",
      limits: DEFAULT_LIMITS,
    }),
  modelRequested: (seq: number) => numbered(seq, "model.requested", { turn: 1, attempt: 1, model: "scripted/keyword" }),
  delta: (text: string) => ({ type: "text.delta", executionId: EXECUTION_ID, turn: 1, text }),
  requested: (seq: number, toolCallId: string) =>
    numbered(seq, "tool_call.requested", {
      toolCallId,
      turn: 1,
      name: "lookup_order",
      kind: "handler",
      parameters: { orderId: "ORD-1" },
      sideEffect: null,
      risk: null,
      policyDecision: null,
    }),
  failed: (seq: number, toolCallId: string, fallbackUntil?: string) =>
    numbered(seq, "tool_call.failed", {
      toolCallId,
      error: {
        code: "HANDLER_ERROR",
        message: "the handler failed",
        retryable: true,
        outcome: "none",
        source: "gateway",
        toolName: "lookup_order",
        toolCallId,
        attempts: 1,
      },
      ...(fallbackUntil === undefined ? {} : { fallbackUntil }),
    }),
  approvalRequested: (seq: number, toolCallId: string, approvalId: string) =>
    numbered(seq, "approval.requested", { toolCallId, approvalId, expiresAt: LATER, requestHash: "sha256:0" }),
  approvalResolved: (seq: number, toolCallId: string, approvalId: string) =>
    numbered(seq, "approval.resolved", { toolCallId, approvalId, status: "approved" }),
  attemptStarted: (seq: number, toolCallId: string) =>
    numbered(seq, "attempt.started", {
      ...{ toolCallId, attemptId: "att_1", number: 1, method: "POST", url: "https://orders.example/", deadline: LATER },
    }),
  waiting: (seq: number, reason: string) => numbered(seq, "execution.waiting", { reason, until: LATER }),
  modelFailed: (seq: number) =>
    numbered(seq, "model.failed", { turn: 1, attempt: 1, error: { code: "MODEL_ERROR", message: "" }, retryAt: AT }),
  responded: (seq: number, text: string) =>
    numbered(seq, "model.responded", {
      ...{ turn: 1, attempt: 1, text, finishReason: "stop", toolCalls: [], cost: NO_COST },
      usage: { inputTokens: 1, outputTokens: 1 },
    }),
  stopped: (seq: number, stopReason: string, text: string) =>
    numbered(seq, "execution.completed", { stopReason, output: { text }, usage: USAGE, cost: NO_COST }),
  unknown: (seq: number) => numbered(seq, "tool_call.sandboxed", { toolCallId: "tc_1" }),
  completed: (seq: number) =>
    numbered(seq, "execution.completed", {
      stopReason: "final",
      output: { text: "on its way" },
      usage: USAGE,
      cost: NO_COST,
    }),
  failedExecution: (seq: number) =>
    numbered(seq, "execution.failed", {
      error: { code: "MODEL_ERROR", message: "the model provider failed" },
      usage: USAGE,
      cost: NO_COST,
    }),
};

/** An event as the stream carries it. */
export function message(value: { type: string; seq?: unknown }): string {
  const id = value.seq === undefined ? "" : `id: ${value.seq}\n`;
  return `${id}event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}
