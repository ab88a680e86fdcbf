import { newId } from "@yagate/lib/ids/ids";
import { type Agent, DEFAULT_LIMITS, type ExecutionEvent, type ExecutionStatus } from "@yagate/protocol";
import type { Append, EventEntry, ExecutionSummary, NewExecution } from "../../src/port.ts";
import type { NewApproval } from "../../src/tables/approvals.ts";
import type { NewInputRequest } from "../../src/tables/input-requests.ts";

/** The current time in all tests of the store. */
export const NOW = Date.parse("2026-11-21T06:00:00.000Z");
export const AT = new Date(NOW).toISOString();
export const LEASE_MS = 10_000;

export function executionOf(workspaceId: string, change: Partial<NewExecution> = {}): NewExecution {
  return {
    id: newId("execution"),
    workspaceId,
    agentId: "agt_1",
    agentVersion: 3,
    startedByKeyId: "key_1",
    request: { input: "Where is order 7?", metadata: { team: "support" } },
    createdAt: NOW,
    owner: "owner-1",
    leaseUntil: NOW + LEASE_MS,
    ...change,
  };
}

export function summaryOf(status: ExecutionStatus): ExecutionSummary {
  const isCompleted = status === "completed";
  return {
    status,
    stopReason: isCompleted ? "final" : null,
    output: isCompleted ? { text: "It is on its way." } : null,
    error: null,
    usage: { inputTokens: 11, outputTokens: 7, toolCalls: 1 },
    cost: { usd: 0.25, credits: 1 },
    startedAt: NOW,
    finishedAt: isCompleted ? NOW + 5 : null,
  };
}

type EventFields = { readonly type: ExecutionEvent["type"]; readonly [field: string]: unknown };

/** An entry whose event has the given fields; the store reads only these and those of the envelope. */
export function entryOf(executionId: string, seq: number, fields: EventFields): EventEntry {
  return { event: { at: AT, ...fields, seq, executionId } as ExecutionEvent };
}

/** An append of plain events that follow `expectedSeq`. */
export function appendOf(
  executionId: string,
  expectedSeq: number,
  change: Partial<Append> & { readonly count?: number; readonly status?: ExecutionStatus } = {},
): Append {
  const { count = 1, status = "running", ...rest } = change;
  const entries = Array.from({ length: count }, (_, index) =>
    entryOf(executionId, expectedSeq + index + 1, { type: "execution.cancel_requested" }),
  );
  return { executionId, expectedSeq, entries, summary: summaryOf(status), ...rest };
}

export function agentOf(change: Partial<Agent> = {}): Agent {
  return {
    id: newId("agent"),
    version: 1,
    name: "Support",
    model: "scripted/keyword",
    systemPrompt: "",
    tools: [],
    limits: DEFAULT_LIMITS,
    integrations: [],
    credentials: [],
    webhookUrls: [],
    policy: { network: false, approval: "destructive" },
    createdAt: AT,
    updatedAt: AT,
    ...change,
  };
}

/** What a person is asked about in an execution. */
export const approvalOf = (workspaceId: string, executionId: string): NewApproval => ({
  id: newId("approval"),
  workspaceId,
  executionId,
  toolCallId: newId("toolCall"),
  requestedAt: NOW,
  expiresAt: NOW + 1_000,
  details: {
    agentId: "agt_1",
    agentVersion: 3,
    agentName: "Support",
    tool: { name: "refund", description: "Refunds.", kind: "handler", sideEffect: "destructive", risk: "destructive" },
    policyReason: "it asks",
    parameters: { orderId: "ORD-7" },
    request: { method: "POST", url: "https://a.example/", headers: { a: "b" }, body: "{}", signingSecret: "default" },
    requestHash: "sha256:0",
    inputPreview: "Refund it.",
  },
});

/** The first questions of a new call. */
export const inputRequestOf = (workspaceId: string, executionId: string): NewInputRequest => ({
  toolCallId: newId("toolCall"),
  workspaceId,
  executionId,
  round: 1,
  requestedAt: NOW,
  expiresAt: NOW + 1_000,
  details: {
    agentId: "agt_1",
    agentVersion: 3,
    agentName: "Support",
    tool: { name: "shop.paint", description: "Paints." },
    questions: [{ key: "colour", mode: "form", message: "Which colour?", schema: { type: "object" } }],
  },
});
