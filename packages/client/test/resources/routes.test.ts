import { describe, expect, it } from "vitest";
import type { Yagate } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { AT, agentRecord, executionRecord, toolCallRecord } from "../support/records.ts";
import { json, noContent, type Responder, startScriptedGateway } from "../support/scripted-gateway.ts";

const attempt = {
  id: "att_1",
  number: 1,
  method: "POST",
  url: "https://orders.example/tools",
  startedAt: AT,
  durationMs: 12.5,
  timings: null,
  httpStatus: 200,
  requestBytes: 10,
  responseBytes: 20,
  toolCallId: "tc_1",
  executionId: "exec_01",
  request: null,
  response: null,
};
const workspaceSecret = {
  name: "OPENAI_KEY",
  auth: { type: "bearer" },
  hosts: ["api.openai.com"],
  createdAt: AT,
  updatedAt: AT,
};
const provider = {
  name: "openai",
  apiKey: "workspace-secret://OPENAI_KEY",
  baseUrl: null,
  createdAt: AT,
  updatedAt: AT,
};
const secret = { id: "sec_1", name: "default", createdAt: AT, expiresAt: null };
const rotated = { id: "sec_2", name: "default", secret: "whsec_x", createdAt: AT, previousExpiresAt: AT };
const apiKey = {
  ...{ id: "key_1", name: "ci", workspaceId: "ws_1", scopes: ["agents"], createdAt: AT },
  ...{ expiresAt: null, lastUsedAt: AT, rotatedAt: null, previousExpiresAt: null, routing: { region: "eu" } },
};
const auditEntry = {
  ...{ id: "aud_1", at: AT, workspaceId: "ws_1", address: null, requestId: null, action: "agent.created" },
  actor: { type: "api_key", keyId: "key_1", keyName: "ci", workspaceId: "ws_1" },
  ...{ resource: { type: "agent", id: "agt_1" }, before: null, after: { name: "a" } },
};
const intentFields = { name: "web.search", description: "Searches.", parameters: { type: "object" } };
const intent = { ...intentFields, id: null, origin: "gateway", createdAt: null, updatedAt: null };
const preview = {
  ...{ turn: 1, model: "openai/gpt-5", routing: {}, rules: [], toolChoice: "auto", intents: [] },
  ...{ shown: { count: 0, hash: "sha256:0" }, tools: [], unserved: [] },
};
const capability = {
  ...{ key: "mine.search", intent: "web.search", mode: "runtime_function", target: { builtin: "web_search" } },
  ...{ args: null, result: null, providers: [], modelPatterns: [], priority: 70, costClass: "low", riskClass: null },
  ...{ supportsCitations: true, requiredScopes: [], regions: [], dataClasses: [], approval: null, enabled: true },
  ...{ origin: "workspace", isOverride: false, asOf: null, createdAt: AT, updatedAt: AT },
};
const callSummary = {
  ...{ id: "tc_1", executionId: "exec_01", name: "lookup_order", status: "failed", code: "TIMEOUT" },
  ...{ requestedAt: AT, finishedAt: AT },
};
const token = { token: "yt_e30.e30.e30", executionId: "exec_01", expiresAt: AT };
const metrics = {
  range: "7d",
  from: "2026-11-14T07:00:00.000Z",
  until: "2026-11-21T06:00:00.000Z",
  stepSeconds: 3_600,
  isPartial: false,
  series: [{ kind: "count", metric: "codes", label: "TIMEOUT", unit: "calls", total: { value: 2 }, points: [] }],
};
const usage = {
  workspaceId: "ws_1",
  plan: "standard",
  quotas: { agents: { limit: 1_000, used: 3, countedBy: "workspace" } },
};
const HASH = "0".repeat(64);
const receipt = {
  format: "yagate-receipt-1",
  executionId: "exec_01",
  workspaceId: "ws_1",
  verified: true,
  isFinal: false,
  difference: null,
  agent: { id: "agt_1", version: 1, models: [] },
  keyId: null,
  status: "queued",
  stopReason: null,
  createdAt: AT,
  finishedAt: null,
  usage: null,
  cost: null,
  toolCalls: [],
  account: [],
  record: {
    subject: {
      executionId: "exec_01",
      workspaceId: "ws_1",
      agentId: "agt_1",
      agentVersion: 1,
      agentHash: `sha256:${HASH}`,
      keyId: null,
      createdAt: AT,
      requestHash: `sha256:${HASH}`,
    },
    entries: [],
    head: HASH,
  },
  signature: null,
};
const approval = {
  id: "apr_1",
  status: "pending",
  executionId: "exec_01",
  toolCallId: "tc_1",
  agentId: "agt_01",
  agentVersion: 1,
  agentName: "orders",
  tool: {
    name: "cancel_order",
    description: "Cancels.",
    kind: "handler",
    sideEffect: "destructive",
    risk: "destructive",
  },
  policyReason: "it asks",
  parameters: { orderId: "ORD-1" },
  request: { method: "POST", url: "https://orders.example/", headers: {}, body: "{}", signingSecret: "default" },
  requestHash: "sha256:0",
  inputPreview: "cancel ORD-1",
  requestedAt: AT,
  expiresAt: AT,
  resolution: null,
};
const piece = {
  id: "art_1",
  mediaType: "text/plain",
  totalCharacters: 60_000,
  totalBytes: 60_000,
  offset: 5,
  nextOffset: 7,
  text: "ab",
};
const selection = { id: "art_1", path: "$.items[0:2]", data: [1, { a: 2 }], isComplete: true };
const workspace = { id: "ws_1", name: "acme", plan: "standard", createdAt: AT };
const integration = {
  name: "shop",
  version: 1,
  allowedDomains: ["api.shop.example"],
  ports: [443],
  createdAt: AT,
  updatedAt: AT,
};
const endpoint = {
  id: "ep_1",
  url: "https://orders.example/tools",
  status: "enabled",
  disabledAt: null,
  reason: null,
  inFlight: 2,
  queued: 0,
  circuit: { state: "open", attempts: 0, failures: 0, retryAt: "2026-11-21T06:00:30.000Z" },
};

interface Call {
  readonly call: (client: Yagate) => Promise<unknown>;
  readonly route: string;
  readonly answer: Responder;
  readonly sends?: unknown;
  readonly gives?: unknown;
}

const page = (item: unknown) => json(200, { data: [item], nextCursor: null });

describe("each call reaches its route", () => {
  it.each<[string, Call]>([
    [
      "agents.create",
      {
        call: (client) => client.agents.create({ name: "orders", model: "scripted/keyword" }),
        route: "POST /v1/agents",
        answer: json(201, agentRecord()),
        sends: { name: "orders", model: "scripted/keyword" },
        gives: agentRecord(),
      },
    ],
    [
      "agents.get",
      {
        call: (client) => client.agents.get("agt_01"),
        route: "GET /v1/agents/agt_01",
        answer: json(200, agentRecord()),
        gives: agentRecord(),
      },
    ],
    [
      "agents.versions",
      {
        call: (client) => client.agents.versions("agt_01").toArray(),
        route: "GET /v1/agents/agt_01/versions",
        answer: json(200, { data: [agentRecord({ version: 2 }), agentRecord()], nextCursor: null }),
        gives: [agentRecord({ version: 2 }), agentRecord()],
      },
    ],
    [
      "agents.update",
      {
        call: (client) => client.agents.update("agt_01", { version: 1, systemPrompt: "be kind" }),
        route: "PATCH /v1/agents/agt_01",
        answer: json(200, agentRecord({ version: 2 })),
        sends: { version: 1, systemPrompt: "be kind" },
        gives: agentRecord({ version: 2 }),
      },
    ],
    [
      "agents.delete",
      { call: (client) => client.agents.delete("agt_01"), route: "DELETE /v1/agents/agt_01", answer: noContent() },
    ],
    [
      "agents.start",
      {
        call: (client) => client.agents.start("agt_01", { input: "hello" }),
        route: "POST /v1/agents/agt_01/executions",
        answer: json(201, executionRecord({ status: "queued" })),
        sends: { input: "hello" },
        gives: executionRecord({ status: "queued" }),
      },
    ],
    [
      "agents.start with a time for fallbacks",
      {
        call: (client) => client.agents.start("agt_01", { input: "hello", fallbackWaitMs: 9_000 }),
        route: "POST /v1/agents/agt_01/executions",
        answer: json(201, executionRecord()),
        sends: { input: "hello", fallback: { waitMs: 9_000 } },
        gives: executionRecord(),
      },
    ],
    [
      "executions.get",
      {
        call: (client) => client.executions.get("exec_01"),
        route: "GET /v1/executions/exec_01",
        answer: json(200, executionRecord()),
        gives: executionRecord(),
      },
    ],
    [
      "executions.receipt",
      {
        call: (client) => client.executions.receipt("exec_01"),
        route: "GET /v1/executions/exec_01/receipt",
        answer: json(200, receipt),
        gives: receipt,
      },
    ],
    [
      "executions.list",
      {
        call: (client) => client.executions.list().toArray(),
        route: "GET /v1/executions",
        answer: page(executionRecord()),
        gives: [executionRecord()],
      },
    ],
    [
      "executions.createToken",
      {
        call: (client) => client.executions.createToken("exec_01"),
        route: "POST /v1/executions/exec_01/tokens",
        answer: json(201, token),
        sends: {},
        gives: token,
      },
    ],
    [
      "executions.createToken with its time",
      {
        call: (client) => client.executions.createToken("exec_01", { expiresInSeconds: 60 }),
        route: "POST /v1/executions/exec_01/tokens",
        answer: json(201, token),
        sends: { expiresInSeconds: 60 },
        gives: token,
      },
    ],
    [
      "executions.cancel",
      {
        call: (client) => client.executions.cancel("exec_01"),
        route: "POST /v1/executions/exec_01/cancel",
        answer: json(202, executionRecord({ status: "running" })),
        gives: executionRecord({ status: "running" }),
      },
    ],
    [
      "executions.toolCalls",
      {
        call: (client) => client.executions.toolCalls("exec_01").toArray(),
        route: "GET /v1/executions/exec_01/tool-calls",
        answer: page(toolCallRecord("tc_1")),
        gives: [toolCallRecord("tc_1")],
      },
    ],
    [
      "toolCalls.list",
      {
        call: (client) => client.toolCalls.list({ status: "failed", tool: "lookup_order" }).toArray(),
        route: "GET /v1/tool-calls",
        answer: page(callSummary),
        gives: [callSummary],
      },
    ],
    [
      "toolCalls.get",
      {
        call: (client) => client.toolCalls.get("tc_1"),
        route: "GET /v1/tool-calls/tc_1",
        answer: json(200, toolCallRecord("tc_1")),
        gives: toolCallRecord("tc_1"),
      },
    ],
    [
      "approvals.list",
      {
        call: (client) => client.approvals.list().toArray(),
        route: "GET /v1/approvals",
        answer: page(approval),
        gives: [approval],
      },
    ],
    [
      "approvals.list of one status",
      {
        call: (client) => client.approvals.list({ status: "pending", limit: 5 }).toArray(),
        route: "GET /v1/approvals",
        answer: page(approval),
        gives: [approval],
      },
    ],
    [
      "approvals.get",
      {
        call: (client) => client.approvals.get("apr_1"),
        route: "GET /v1/approvals/apr_1",
        answer: json(200, approval),
        gives: approval,
      },
    ],
    [
      "approvals.approve",
      {
        call: (client) => client.approvals.approve("apr_1"),
        route: "POST /v1/approvals/apr_1/approve",
        answer: json(200, { ...approval, status: "approved" }),
        sends: {},
        gives: { ...approval, status: "approved" },
      },
    ],
    [
      "approvals.approve with different arguments",
      {
        call: (client) => client.approvals.approve("apr_1", { parameters: { orderId: "ORD-2" }, comment: "the other" }),
        route: "POST /v1/approvals/apr_1/approve",
        answer: json(200, approval),
        sends: { parameters: { orderId: "ORD-2" }, comment: "the other" },
        gives: approval,
      },
    ],
    [
      "approvals.deny",
      {
        call: (client) => client.approvals.deny("apr_1", { reason: "too late" }),
        route: "POST /v1/approvals/apr_1/deny",
        answer: json(200, { ...approval, status: "denied" }),
        sends: { reason: "too late" },
        gives: { ...approval, status: "denied" },
      },
    ],
    [
      "artifacts.get",
      {
        call: (client) => client.artifacts.get("art_1"),
        route: "GET /v1/artifacts/art_1",
        answer: json(200, piece),
        gives: piece,
      },
    ],
    [
      "artifacts.get with a path",
      {
        call: (client) => client.artifacts.get("art_1", { path: "$.items[0:2]" }),
        route: "GET /v1/artifacts/art_1",
        answer: json(200, selection),
        gives: selection,
      },
    ],
    [
      "attempts.get",
      {
        call: (client) => client.attempts.get("att_1"),
        route: "GET /v1/attempts/att_1",
        answer: json(200, attempt),
        gives: attempt,
      },
    ],
    [
      "secrets.list",
      {
        call: (client) => client.secrets.list().toArray(),
        route: "GET /v1/secrets",
        answer: page(workspaceSecret),
        gives: [workspaceSecret],
      },
    ],
    [
      "secrets.set",
      {
        call: (client) => client.secrets.set("OPENAI_KEY", { value: "sk-01234567", auth: { type: "query_param" } }),
        route: "PUT /v1/secrets/OPENAI_KEY",
        answer: json(200, workspaceSecret),
        sends: { value: "sk-01234567", auth: { type: "query_param" } },
        gives: workspaceSecret,
      },
    ],
    [
      "secrets.delete",
      {
        call: (client) => client.secrets.delete("OPENAI_KEY"),
        route: "DELETE /v1/secrets/OPENAI_KEY",
        answer: noContent(),
      },
    ],
    [
      "providers.list",
      {
        call: (client) => client.providers.list().toArray(),
        route: "GET /v1/providers",
        answer: page(provider),
        gives: [provider],
      },
    ],
    [
      "providers.get",
      {
        call: (client) => client.providers.get("openai"),
        route: "GET /v1/providers/openai",
        answer: json(200, provider),
        gives: provider,
      },
    ],
    [
      "providers.set",
      {
        call: (client) => client.providers.set("openai", { apiKey: "workspace-secret://OPENAI_KEY" }),
        route: "PUT /v1/providers/openai",
        answer: json(200, provider),
        sends: { apiKey: "workspace-secret://OPENAI_KEY" },
        gives: provider,
      },
    ],
    [
      "providers.delete",
      {
        call: (client) => client.providers.delete("lm-studio"),
        route: "DELETE /v1/providers/lm-studio",
        answer: noContent(),
      },
    ],
    [
      "signingSecrets.list",
      {
        call: (client) => client.signingSecrets.list().toArray(),
        route: "GET /v1/signing-secrets",
        answer: page(secret),
        gives: [secret],
      },
    ],
    [
      "signingSecrets.rotate",
      {
        call: (client) => client.signingSecrets.rotate({ overlapSeconds: 0 }),
        route: "POST /v1/signing-secrets/rotate",
        answer: json(201, rotated),
        sends: { overlapSeconds: 0 },
        gives: rotated,
      },
    ],
    [
      "apiKeys.list",
      {
        call: (client) => client.apiKeys.list().toArray(),
        route: "GET /v1/api-keys",
        answer: page(apiKey),
        gives: [apiKey],
      },
    ],
    [
      "apiKeys.create",
      {
        call: (client) => client.apiKeys.create({ name: "ci", scopes: ["agents"] }),
        route: "POST /v1/api-keys",
        answer: json(201, { ...apiKey, key: "yk_x" }),
        sends: { name: "ci", scopes: ["agents"] },
        gives: { ...apiKey, key: "yk_x" },
      },
    ],
    [
      "apiKeys.update",
      {
        call: (client) => client.apiKeys.update("key_1", { expiresAt: null }),
        route: "PATCH /v1/api-keys/key_1",
        answer: json(200, apiKey),
        sends: { expiresAt: null },
        gives: apiKey,
      },
    ],
    [
      "apiKeys.rotate",
      {
        call: (client) => client.apiKeys.rotate("key_1", { overlapSeconds: 60 }),
        route: "POST /v1/api-keys/key_1/rotate",
        answer: json(200, { ...apiKey, key: "yk_y" }),
        sends: { overlapSeconds: 60 },
        gives: { ...apiKey, key: "yk_y" },
      },
    ],
    [
      "audit.list",
      {
        call: (client) => client.audit.list({ action: "agent.created" }).toArray(),
        route: "GET /v1/audit",
        answer: page(auditEntry),
        gives: [auditEntry],
      },
    ],
    [
      "apiKeys.delete",
      { call: (client) => client.apiKeys.delete("key_1"), route: "DELETE /v1/api-keys/key_1", answer: noContent() },
    ],
    [
      "metrics.series",
      {
        call: (client) => client.metrics.series({ range: "7d", metric: "codes" }),
        route: "GET /v1/metrics/series",
        answer: json(200, metrics),
        gives: metrics,
      },
    ],
    [
      "usage.get",
      {
        call: (client) => client.usage.get({ workspaceId: "ws_1" }),
        route: "GET /v1/usage",
        answer: json(200, usage),
        gives: usage,
      },
    ],
    [
      "workspaces.list",
      {
        call: (client) => client.workspaces.list().toArray(),
        route: "GET /v1/workspaces",
        answer: page(workspace),
        gives: [workspace],
      },
    ],
    [
      "workspaces.create",
      {
        call: (client) => client.workspaces.create({ name: "acme" }),
        route: "POST /v1/workspaces",
        answer: json(201, { ...workspace, signingSecret: "whsec_x" }),
        sends: { name: "acme" },
        gives: { ...workspace, signingSecret: "whsec_x" },
      },
    ],
    [
      "workspaces.update",
      {
        call: (client) => client.workspaces.update("ws_1", { plan: "pro" }),
        route: "PATCH /v1/workspaces/ws_1",
        answer: json(200, { ...workspace, plan: "pro" }),
        sends: { plan: "pro" },
        gives: { ...workspace, plan: "pro" },
      },
    ],
    [
      "integrations.list",
      {
        call: (client) => client.integrations.list().toArray(),
        route: "GET /v1/integrations",
        answer: page(integration),
        gives: [integration],
      },
    ],
    [
      "integrations.get",
      {
        call: (client) => client.integrations.get("shop"),
        route: "GET /v1/integrations/shop",
        answer: json(200, integration),
        gives: integration,
      },
    ],
    [
      "integrations.create",
      {
        call: (client) => client.integrations.create({ name: "shop", allowedDomains: ["api.shop.example"] }),
        route: "POST /v1/integrations",
        answer: json(201, integration),
        sends: { name: "shop", allowedDomains: ["api.shop.example"] },
        gives: integration,
      },
    ],
    [
      "integrations.update",
      {
        call: (client) => client.integrations.update("shop", { version: 1, limits: null }),
        route: "PATCH /v1/integrations/shop",
        answer: json(200, integration),
        sends: { version: 1, limits: null },
        gives: integration,
      },
    ],
    [
      "integrations.delete",
      {
        call: (client) => client.integrations.delete("shop"),
        route: "DELETE /v1/integrations/shop",
        answer: noContent(),
      },
    ],
    [
      "agents.route",
      {
        call: (client) => client.agents.route("agt_1", { input: "hello" }),
        route: "POST /v1/agents/agt_1/route",
        answer: json(200, preview),
        sends: { input: "hello" },
        gives: preview,
      },
    ],
    [
      "intents.list",
      {
        call: (client) => client.intents.list().toArray(),
        route: "GET /v1/intents",
        answer: page(intent),
        gives: [intent],
      },
    ],
    [
      "intents.get",
      {
        call: (client) => client.intents.get("web.search"),
        route: "GET /v1/intents/web.search",
        answer: json(200, intent),
        gives: intent,
      },
    ],
    [
      "intents.create",
      {
        call: (client) => client.intents.create(intentFields),
        route: "POST /v1/intents",
        answer: json(201, intent),
        sends: intentFields,
        gives: intent,
      },
    ],
    [
      "intents.update",
      {
        call: (client) => client.intents.update("web.search", { description: "Finds." }),
        route: "PATCH /v1/intents/web.search",
        answer: json(200, intent),
        sends: { description: "Finds." },
        gives: intent,
      },
    ],
    [
      "intents.delete",
      {
        call: (client) => client.intents.delete("web.search"),
        route: "DELETE /v1/intents/web.search",
        answer: noContent(),
      },
    ],
    [
      "capabilities.list",
      {
        call: (client) => client.capabilities.list().toArray(),
        route: "GET /v1/capabilities",
        answer: page(capability),
        gives: [capability],
      },
    ],
    [
      "capabilities.get",
      {
        call: (client) => client.capabilities.get("mine.search"),
        route: "GET /v1/capabilities/mine.search",
        answer: json(200, capability),
        gives: capability,
      },
    ],
    [
      "capabilities.create",
      {
        call: (client) => client.capabilities.create({ key: "mine.search", priority: 70 }),
        route: "POST /v1/capabilities",
        answer: json(201, capability),
        sends: { key: "mine.search", priority: 70 },
        gives: capability,
      },
    ],
    [
      "capabilities.update",
      {
        call: (client) => client.capabilities.update("mine.search", { enabled: false }),
        route: "PATCH /v1/capabilities/mine.search",
        answer: json(200, capability),
        sends: { enabled: false },
        gives: capability,
      },
    ],
    [
      "capabilities.delete",
      {
        call: (client) => client.capabilities.delete("mine.search"),
        route: "DELETE /v1/capabilities/mine.search",
        answer: noContent(),
      },
    ],
    [
      "endpoints.list",
      {
        call: (client) => client.endpoints.list().toArray(),
        route: "GET /v1/endpoints",
        answer: page(endpoint),
        gives: [endpoint],
      },
    ],
    [
      "endpoints.enable",
      {
        call: (client) => client.endpoints.enable("ep_1"),
        route: "POST /v1/endpoints/ep_1/enable",
        answer: json(200, endpoint),
        gives: endpoint,
      },
    ],
  ])("%s", async (_name, { call, route, answer, sends, gives }) => {
    const gateway = await startScriptedGateway({ [route]: answer });

    expect(await call(clientOf(gateway))).toEqual(gives);
    expect(gateway.seenAt(route)).toHaveLength(1);
    expect(gateway.seen[0]).toMatchObject({ body: sends, headers: { accept: "application/json" } });
    expect("idempotency-key" in (gateway.seen[0]?.headers ?? {})).toBe(route.startsWith("POST"));
  });

  it("asks for the metric and the range, and refuses others", async () => {
    const gateway = await startScriptedGateway({ "GET /v1/metrics/series": json(200, metrics) });
    await clientOf(gateway).metrics.series({ range: "7d", metric: "codes" });
    expect(gateway.seen.map(({ url }) => url)).toEqual(["/v1/metrics/series?range=7d&metric=codes"]);
    const wrong = JSON.parse('{ "range": "8d" }');
    await expect(clientOf(gateway).metrics.series(wrong)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  it("asks for the tool calls that match, and refuses other filters", async () => {
    const gateway = await startScriptedGateway({ "GET /v1/tool-calls": page(callSummary) });
    await clientOf(gateway).toolCalls.list({ status: "failed", tool: "a", code: "TIMEOUT", limit: 3 }).page();
    expect(gateway.seen.map(({ url }) => url)).toEqual(["/v1/tool-calls?status=failed&tool=a&code=TIMEOUT&limit=3"]);
    expect(() => clientOf(gateway).toolCalls.list({ name: "a" } as object)).toThrow(/name/);
  });

  it("asks for approvals of one status, in every page", async () => {
    const pages = [json(200, { data: [approval], nextCursor: "c2" }), page(approval)];
    const gateway = await startScriptedGateway({ "GET /v1/approvals": pages });
    await clientOf(gateway).approvals.list({ status: "pending", limit: 1 }).toArray();
    expect(gateway.seen.map(({ url }) => url)).toEqual([
      "/v1/approvals?status=pending&limit=1",
      "/v1/approvals?status=pending&limit=1&cursor=c2",
    ]);
  });

  it("keeps fields of an answer that a newer gateway added", async () => {
    const gateway = await startScriptedGateway({
      "GET /v1/executions/exec_01": json(200, { ...executionRecord(), region: "eu" }),
    });
    await expect(clientOf(gateway).executions.get("exec_01")).resolves.toMatchObject({ region: "eu" });
  });

  it.each<[string, (client: Yagate) => Promise<unknown>]>([
    ["agents.get", (client) => client.agents.get("..")],
    ["agents.update", (client) => client.agents.update("agt_", {})],
    ["agents.delete", (client) => client.agents.delete("")],
    ["agents.start", (client) => client.agents.start("agt_01?x", { input: "hello" })],
    ["executions.get", (client) => client.executions.get("agt_01")],
    ["executions.cancel", (client) => client.executions.cancel("exec_01/")],
    ["executions.receipt", (client) => client.executions.receipt("../x")],
    ["toolCalls.get", (client) => client.toolCalls.get("exec_01")],
    ["artifacts.get", (client) => client.artifacts.get("tc_1")],
    ["artifacts.content", (client) => client.artifacts.content("art_1/..")],
    ["attempts.get", (client) => client.attempts.get("att 1")],
    ["approvals.get", (client) => client.approvals.get("tc_1")],
    ["approvals.approve", (client) => client.approvals.approve("apr_1/..")],
    ["approvals.deny", (client) => client.approvals.deny("")],
    ["apiKeys.delete", (client) => client.apiKeys.delete("yk_secret")],
    ["endpoints.enable", (client) => client.endpoints.enable("")],
  ])("%s rejects what is no id of its kind, before anything is sent", async (_name, call) => {
    const gateway = await startScriptedGateway({});
    await expect(call(clientOf(gateway))).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/^expected an id that starts with [a-z]+_$/),
    });
    expect(gateway.seen).toHaveLength(0);
  });

  it.each<[string, (client: Yagate) => Promise<unknown>]>([
    ["secrets.set", (client) => client.secrets.set("openai-key", { value: "sk-01234567" })],
    ["secrets.delete", (client) => client.secrets.delete("..")],
    ["providers.get", (client) => client.providers.get("")],
    ["providers.set", (client) => client.providers.set("OpenAI", { apiKey: "workspace-secret://KEY" })],
    ["providers.delete", (client) => client.providers.delete("../secrets/KEY")],
  ])("%s rejects what is no name of its kind, before anything is sent", async (_name, call) => {
    const gateway = await startScriptedGateway({});
    await expect(call(clientOf(gateway))).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/^expected 1 to 64 (?:upper|lower)-case letters/),
    });
    expect(gateway.seen).toHaveLength(0);
  });
});

it("executions.receiptText asks for text and gives it as it comes", async () => {
  const answer: Responder = (response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end("Receipt\n");
  };
  const gateway = await startScriptedGateway({ "GET /v1/executions/exec_01/receipt": answer });
  expect(await clientOf(gateway).executions.receiptText("exec_01")).toBe("Receipt\n");
  expect(gateway.seen[0]).toMatchObject({ headers: { accept: "text/plain" } });
});

describe("artifacts", () => {
  it.each<[string, (client: Yagate) => Promise<unknown>, string]>([
    ["the first piece", ({ artifacts }) => artifacts.get("art_1"), "offset=0"],
    ["a piece", ({ artifacts }) => artifacts.get("art_1", { offset: 5, length: 2 }), "offset=5&length=2"],
    ["a selection", ({ artifacts }) => artifacts.get("art_1", { path: "$.a[0:2]" }), "path=%24.a%5B0%3A2%5D"],
  ])("ask for %s", async (_name, call, query) => {
    const answer = json(200, query.startsWith("path") ? selection : piece);
    const gateway = await startScriptedGateway({ "GET /v1/artifacts/art_1": answer });
    await call(clientOf(gateway));
    expect(gateway.seen.map(({ url }) => url)).toEqual([`/v1/artifacts/art_1?${query}`]);
  });

  it("refuse a piece of a selection, before anything is sent", async () => {
    const gateway = await startScriptedGateway({});
    const options = { path: "$", offset: 5 };
    await expect(clientOf(gateway).artifacts.get("art_1", options)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(gateway.seen).toHaveLength(0);
  });

  it("give the whole content as it comes", async () => {
    const answer: Responder = (response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"a": 1}');
    };
    const gateway = await startScriptedGateway({ "GET /v1/artifacts/art_1": answer });
    expect(await clientOf(gateway).artifacts.content("art_1")).toBe('{"a": 1}');
    expect(gateway.seen[0]?.url).toBe("/v1/artifacts/art_1");
  });
});
