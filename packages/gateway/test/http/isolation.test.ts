import {
  type Agent,
  approvalSchema,
  attemptDetailSchema,
  endpointSchema,
  pageSchema,
  rotatedSigningSecretSchema,
  scopeSchema,
  toolCallRecordSchema,
  toolkitSchema,
  toolSourceSchema,
  workspaceToolSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, execute, expectStatus, makeAgent, problemOf, saying, start } from "./support/agents.ts";
import type { Call } from "./support/api-caller.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
const failing = await startHandler({ status: 503, body: undefined });
const gone = await startHandler({ status: 410, body: undefined });
const large = await startHandler({ body: { result: "x".repeat(60_000) } });
afterAll(() => world.stop());

/** A workspace with one of everything that has an id. */
async function furnish(name: string) {
  const tenant = await world.makeWorkspace(name);
  const { key } = tenant;
  const own = { key };
  const tools = [workTool(failing.url), workTool(gone.url, { name: "gone" }), workTool(large.url, { name: "large" })];
  const agent = await makeAgent(world, { name, tools }, own);
  const ended = await execute(world, agent.id, calling("gone"), own);
  const held = await start(world, agent.id, calling("work", { fallback: { waitMs: 600_000 } }), own);
  const stream = new EventReader(await world.open("followExecution", { params: { id: held.id }, ...own }));
  await stream.until("tool_call.failed");
  const callsOf = async (id: string) => {
    const { body } = await world.call("listToolCalls", { params: { id }, ...own });
    return pageSchema(toolCallRecordSchema).parse(body).data;
  };
  const [heldCall] = await callsOf(held.id);
  const read = await execute(world, agent.id, calling("large"), own);
  const artifactId = (await callsOf(read.id))[0]?.artifactId ?? "";
  expectStatus(await world.call("getArtifact", { params: { id: artifactId }, ...own }), 200);
  const endpoints = pageSchema(endpointSchema).parse((await world.call("listEndpoints", own)).body).data;
  const endpoint = endpoints.find(({ url }) => url === gone.url);
  const asking = await makeAgent(world, { name: `${name} asks`, policy: { approval: "always" }, tools }, own);
  const waiting = await start(world, asking.id, calling("gone"), own);
  const waitingStream = new EventReader(await world.open("followExecution", { params: { id: waiting.id }, ...own }));
  await waitingStream.until("approval.requested");
  const [approval] = pageSchema(approvalSchema).parse((await world.call("listApprovals", own)).body).data;
  const secret = rotatedSigningSecretSchema.parse(
    expectStatus(await world.call("rotateSigningSecret", { body: { name: `of-${name}` }, ...own }), 201),
  );
  expectStatus(
    await world.call("putSecret", {
      params: { name: `KEY_OF_${name.toUpperCase()}` },
      body: { value: `secret value of ${name}`, hosts: ["models.example"] },
      ...own,
    }),
    200,
  );
  expectStatus(
    await world.call("putProvider", {
      params: { name: `models-of-${name}` },
      body: { apiKey: `workspace-secret://KEY_OF_${name.toUpperCase()}`, baseUrl: "https://models.example/v1" },
      ...own,
    }),
    200,
  );
  const definition = workTool(failing.url, { name: `tool_of_${name}` });
  const tool = workspaceToolSchema.parse(
    expectStatus(await world.call("createTool", { body: { definition }, ...own }), 201),
  );
  const toolkit = toolkitSchema.parse(
    expectStatus(await world.call("createToolkit", { body: { name: `Kit of ${name}`, provider: name }, ...own }), 201),
  );
  expectStatus(
    await world.call("createIntegration", {
      body: { name: `hosts-of-${name}`, allowedDomains: [`${name}.example`] },
      ...own,
    }),
    201,
  );
  const intent = { name: `business.${name}`, description: `Of ${name}`, parameters: { type: "object" } };
  expectStatus(await world.call("createIntent", { body: intent, ...own }), 201);
  const capability = { key: `search.${name}`, intent: "web.search", mode: "runtime_function" };
  const target = { target: { builtin: "web_search" }, args: { query: "${query}" } };
  expectStatus(await world.call("createCapability", { body: { ...capability, ...target }, ...own }), 201);
  const source = toolSourceSchema.parse(
    expectStatus(
      await world.call("createToolSource", {
        body: { name: `source_of_${name}`, kind: "handler", url: failing.url },
        ...own,
      }),
      201,
    ),
  );
  const extraKey = await world.makeKey(scopeSchema.options, tenant.workspaceId);
  const attemptId = heldCall?.attempts[0]?.id;
  if (approval === undefined || heldCall === undefined || attemptId === undefined || endpoint === undefined)
    throw new Error("not furnished");
  const calls = { ended, held, heldCall, attemptId, artifactId, approval, callsOf };
  return { ...tenant, agent, ...calls, endpoint, secret, tool, toolkit, source, extraKey };
}

const a = await furnish("alpha");
const b = await furnish("beta");
const bootstrap = { key: world.key };
const strangers: readonly (readonly [string, string])[] = [
  ["another workspace", b.key],
  ["the bootstrap key", bootstrap.key],
];

/** Every operation with an id of workspace A in it, or a list: a new route must find its place here. */
const withIds: Readonly<Record<string, readonly Call[]>> = {
  getAgent: [{ params: { id: a.agent.id } }],
  updateAgent: [{ params: { id: a.agent.id }, body: { name: "stolen" } }],
  archiveAgent: [{ params: { id: a.agent.id } }],
  routeAgent: [{ params: { id: a.agent.id }, body: { input: "hi" } }],
  listAgentVersions: [{ params: { id: a.agent.id } }],
  executeAgent: [
    { params: { id: a.agent.id }, body: saying("hi") },
    { params: { id: a.agent.id }, body: saying("hi"), headers: { prefer: "wait=1" } },
    { params: { id: a.agent.id }, body: saying("hi"), headers: { accept: "text/event-stream" } },
  ],
  executeAgentStream: [{ params: { id: a.agent.id }, body: saying("hi") }],
  getExecution: [{ params: { id: a.held.id } }, { params: { id: a.ended.id } }],
  cancelExecution: [{ params: { id: a.held.id } }, { params: { id: a.ended.id } }],
  replayExecution: [{ params: { id: a.ended.id } }, { params: { id: a.ended.id }, body: { toolMode: "live" } }],
  followExecution: [
    { params: { id: a.held.id } },
    { params: { id: a.ended.id } },
    { params: { id: a.held.id }, headers: { "last-event-id": "3" } },
  ],
  getRecording: [{ params: { id: a.held.id } }, { params: { id: a.ended.id } }],
  getReceipt: [{ params: { id: a.held.id } }, { params: { id: a.ended.id } }],
  createExecutionToken: [{ params: { id: a.held.id } }, { params: { id: a.ended.id }, body: { expiresInSeconds: 60 } }],
  listToolCalls: [{ params: { id: a.held.id } }],
  getToolCall: [{ params: { id: a.heldCall.id } }],
  getAttempt: [{ params: { id: a.attemptId } }],
  getArtifact: [{ params: { id: a.artifactId } }, { params: { id: a.artifactId }, query: { path: "$" } }],
  redeliverToolCall: [{ params: { id: a.heldCall.id }, body: { confirm: true } }],
  answerFallback: [
    { params: { id: a.heldCall.id }, body: { result: "stolen" } },
    { params: { id: a.heldCall.id }, body: { decline: true } },
  ],
  getInputRequest: [{ params: { id: a.heldCall.id } }],
  answerInputRequest: [
    { params: { id: a.heldCall.id }, body: { round: 1, answers: { amount: { action: "decline" } } } },
  ],
  getApproval: [{ params: { id: a.approval.id } }],
  approve: [{ params: { id: a.approval.id } }, { params: { id: a.approval.id }, body: { parameters: {} } }],
  deny: [{ params: { id: a.approval.id }, body: { reason: "stolen" } }],
  enableEndpoint: [{ params: { id: a.endpoint.id } }],
  getTool: [{ params: { id: a.tool.id } }],
  updateTool: [{ params: { id: a.tool.id }, body: { slots: 2 } }],
  archiveTool: [{ params: { id: a.tool.id } }],
  listToolVersions: [{ params: { id: a.tool.id } }],
  testTool: [{ params: { id: a.tool.id }, body: { confirm: true } }],
  getToolTest: [{ params: { id: a.tool.id } }],
  validateTool: [{ params: { id: a.tool.id } }],
  finalizeTool: [{ params: { id: a.tool.id } }],
  getToolkit: [{ params: { id: a.toolkit.id } }],
  updateToolkit: [{ params: { id: a.toolkit.id }, body: { name: "stolen" } }],
  deleteToolkit: [{ params: { id: a.toolkit.id } }, { params: { id: a.toolkit.id }, query: { tools: "archive" } }],
  finalizeToolkit: [{ params: { id: a.toolkit.id } }],
  getToolSource: [{ params: { id: a.source.id } }],
  getSourceTool: [{ params: { id: a.source.id, name: "stolen" } }],
  updateToolSource: [{ params: { id: a.source.id }, body: { exclude: ["*"] } }],
  deleteToolSource: [{ params: { id: a.source.id } }],
  syncToolSource: [{ params: { id: a.source.id } }],
  testToolSource: [{ params: { id: a.source.id } }],
  listToolSourceChanges: [{ params: { id: a.source.id } }],
  acceptTools: [
    { params: { id: a.source.id }, body: { tools: [{ name: "stolen", hash: `sha256:${"0".repeat(64)}` }] } },
  ],
  revokeTools: [{ params: { id: a.source.id } }],
  adoptTools: [{ params: { id: a.source.id }, body: { tools: [{ toolId: "tool_01m7yj864ke00brb1mkxjenfhm" }] } }],
  startToolSourceLogin: [{ params: { id: a.source.id } }],
  confirmToolSourceLogin: [{ params: { id: a.source.id }, body: { code: "2222-2222" } }],
  updateApiKey: [{ params: { id: a.extraKey.id }, body: { name: "stolen" } }],
  rotateApiKey: [{ params: { id: a.extraKey.id } }],
  deleteApiKey: [{ params: { id: a.extraKey.id } }],
  deleteSecret: [{ params: { name: "KEY_OF_ALPHA" } }],
  getProvider: [{ params: { name: "models-of-alpha" } }],
  deleteProvider: [{ params: { name: "models-of-alpha" } }],
  getIntegration: [{ params: { name: "hosts-of-alpha" } }],
  updateIntegration: [
    { params: { name: "hosts-of-alpha" }, body: { ports: [80] } },
    { params: { name: "hosts-of-alpha" }, body: { version: 1, ports: [80] } },
  ],
  deleteIntegration: [{ params: { name: "hosts-of-alpha" } }],
  getIntent: [{ params: { name: "business.alpha" } }],
  updateIntent: [{ params: { name: "business.alpha" }, body: { description: "stolen" } }],
  deleteIntent: [{ params: { name: "business.alpha" } }],
  getCapability: [{ params: { key: "search.alpha" } }],
  updateCapability: [{ params: { key: "search.alpha" }, body: { enabled: false } }],
  deleteCapability: [{ params: { key: "search.alpha" } }],
};

const lists = [
  "listAgents",
  "listExecutions",
  "findToolCalls",
  "listApprovals",
  "listInputRequests",
  "listSigningSecrets",
  "listSecrets",
  "listProviders",
  "listIntegrations",
  "listIntents",
  "listCapabilities",
  "listEndpoints",
  "listTools",
  "listToolkits",
  "listToolSources",
  "listWorkspaces",
  "listApiKeys",
  "listAuditEntries",
];
const makers = [
  ...["createAgent", "rotateSigningSecret", "putSecret", "putProvider", "createWorkspace", "createApiKey"],
  ...["createIntent", "createCapability"],
  ...["createIntegration", "createTool", "importTools", "createToolkit", "createToolSource", "installToolTemplate"],
];
/** Shows what would be sent for a tool of whoever asks. */
const previews = ["previewTool", "listImportOperations"];
/** The same for everybody. */
const catalogues = ["listToolTemplates", "getToolTemplate"];
const openToAll = ["getHealth", "getReadiness", "getOpenApiDocument", "getKeySet"];
/** Of all workspaces: test/telemetry/metrics.test.ts and integrations.test.ts say who may call them. */
const operatorsOnly = ["getMetrics", "updateWorkspace"];
/** Of the workspace of the key alone: test/http/quotas says who may name another. */
const ownUsage = ["getUsage", "getMetricSeries"];
/** Of the workspace of the key alone: test/http/changes.test.ts. */
const ownStream = ["followChanges"];
/** Opened by the token of a call, whoever's it is. */
const withOwnToken = ["receiveCallback"];

it("every route is in one of the tables", () => {
  const others = [
    ...openToAll,
    ...operatorsOnly,
    ...withOwnToken,
    ...previews,
    ...catalogues,
    ...ownUsage,
    ...ownStream,
  ];
  const tables = [...Object.keys(withIds), ...lists, ...makers, ...others];
  expect(tables.sort()).toEqual(world.operations.map(({ name }) => name).sort());
});

describe.each(strangers)("for %s", (who, key) => {
  const rows = Object.entries(withIds).flatMap(([name, calls]) => calls.map((call) => [name, call] as const));

  it.each(rows)("%s of a foreign id does not exist", async (name, call) => {
    const answer = await world.call(name, { ...call, key });
    expect(problemOf(answer)).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it.each(rows)("%s of a foreign id answers like one of an id that nobody has", async (name, call) => {
    const foreign = problemOf(await world.call(name, { ...call, key }));
    const id = call.params?.["id"]?.replace(/_.*/, "_01m7yj864ke00brb1mkxjenfhm") ?? "";
    const unknown = problemOf(await world.call(name, { ...call, params: { id }, key }));
    expect({ ...foreign, requestId: "" }).toEqual({ ...unknown, requestId: "" });
  });

  it.each(lists.filter((name) => who !== "the bootstrap key" || name !== "listWorkspaces"))(
    "%s shows nothing foreign",
    async (name) => {
      const text = JSON.stringify((await world.call(name, { key })).body);
      const foreign = [
        a.workspaceId,
        a.agent.id,
        a.held.id,
        a.ended.id,
        a.approval.id,
        a.endpoint.id,
        a.secret.id,
        a.tool.id,
        a.toolkit.id,
        a.extraKey.id,
      ];
      for (const id of [...foreign, "alpha", "of-alpha", "OF_ALPHA"]) expect(text).not.toContain(id);
    },
  );

  it("what was made is its own", async () => {
    const agent = await makeAgent(world, { name: "mine" }, { key });
    await world.call("rotateSigningSecret", { key, body: { name: "of-alpha" } });
    expect(JSON.stringify((await world.call("listAgents", { key: a.key })).body)).not.toContain(agent.id);
    expect((await world.call("getAgent", { key: a.key, params: { id: agent.id } })).status).toBe(404);
  });
});

it("an admin of one workspace makes, lists and deletes no keys of another", async () => {
  const { workspaceId } = a;
  const make = { key: b.key, body: { name: "mine", scopes: ["admin"], workspaceId } };
  expect((await world.call("createApiKey", make)).status).toBe(404);
  expect((await world.call("listApiKeys", { key: b.key, query: { workspaceId } })).status).toBe(404);
  const remove = { key: b.key, params: { id: a.extraKey.id }, query: { workspaceId } };
  expect((await world.call("deleteApiKey", remove)).status).toBe(404);
  expect((await world.call("listAgents", { key: a.extraKey.text })).status).toBe(200);
});

it("an admin of one workspace sees only that workspace, and makes none", async () => {
  const { body } = await world.call("listWorkspaces", { key: b.key });
  expect(body).toMatchObject({ data: [{ id: b.workspaceId, name: "beta" }], nextCursor: null });
  const answer = await world.call("createWorkspace", { key: b.key, body: { name: "gamma" } });
  expect(problemOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" });
});

it("a tool can't name the signing secret of another workspace", async () => {
  const tools = [workTool(failing.url, { signingSecret: a.secret.name })];
  const body = { name: "thief", model: "scripted/keyword", tools };
  const outsider = await world.makeWorkspace("outsider");
  expect((await world.call("createAgent", { key: outsider.key, body })).status).toBe(422);
  expect((await world.call("createAgent", { key: a.key, body })).status).toBe(201);
});

it("an agent can't have the tool of another workspace, nor a preview of it", async () => {
  const body = {
    name: "thief",
    model: "scripted/keyword",
    tools: [{ tool: a.tool.id, version: 1 }, { tool: a.tool.id }],
  };
  const answer = await world.call("createAgent", { key: b.key, body });
  expect(problemOf(answer).errors).toMatchObject([
    { path: "tools[0].tool", code: "UNKNOWN_TOOL" },
    { path: "tools[1].tool", code: "UNKNOWN_TOOL" },
  ]);
  for (const tool of [a.tool.id, a.tool.name]) {
    const preview = await world.call("previewTool", { key: b.key, body: { tool } });
    expect(problemOf(preview).errors).toMatchObject([{ path: "tool", code: "UNKNOWN_TOOL" }]);
  }
  const inKit = { definition: workTool(failing.url), toolkitId: a.toolkit.id };
  const made = await world.call("createTool", { key: b.key, body: inKit });
  expect(problemOf(made).errors).toMatchObject([{ path: "toolkitId", code: "UNKNOWN_TOOLKIT" }]);
  const byAgent = await world.call("previewTool", { key: b.key, body: { agentId: a.agent.id, tool: "work" } });
  expect(byAgent.status).toBe(404);
});

it("a disabled endpoint is disabled in its workspace only", async () => {
  const url = gone.url;
  const attempts = gone.calls.length;
  await execute(world, a.agent.id, calling("gone"), { key: a.key });
  expect(gone.calls).toHaveLength(attempts);
  const other = await world.makeWorkspace("other");
  const agent: Agent = await makeAgent(world, { tools: [workTool(url, { name: "gone" })] }, { key: other.key });
  await execute(world, agent.id, calling("gone"), { key: other.key });
  expect(gone.calls).toHaveLength(attempts + 1);
});

it("an idempotency key means nothing in another workspace, nor to another key of the same", async () => {
  const headers = { "idempotency-key": "shared" };
  const first = await start(world, a.agent.id, saying("one"), { key: a.key, headers });
  const sameKey = await start(world, a.agent.id, saying("one"), { key: a.key, headers });
  const otherKey = await start(world, a.agent.id, saying("two"), { key: a.extraKey.text, headers });
  const otherWorkspace = await start(world, b.agent.id, saying("three"), { key: b.key, headers });
  expect(sameKey.id).toBe(first.id);
  expect(new Set([first.id, otherKey.id, otherWorkspace.id]).size).toBe(3);
});

it("after all of this, everything of the workspace is as it was", async () => {
  const own = { key: a.key };
  expect((await world.call("getAgent", { params: { id: a.agent.id }, ...own })).body).toMatchObject({
    name: "alpha",
    version: 1,
  });
  const held = (await world.call("getExecution", { params: { id: a.held.id }, ...own })).body;
  expect(held).toMatchObject({ status: "waiting" });
  expect((await world.call("getApproval", { params: { id: a.approval.id }, ...own })).body).toEqual(a.approval);
  expect((await world.call("getTool", { params: { id: a.tool.id }, ...own })).body).toEqual(a.tool);
  expect((await world.call("getToolkit", { params: { id: a.toolkit.id }, ...own })).body).toEqual(a.toolkit);
  expect(await a.callsOf(a.held.id)).toMatchObject([{ status: "waiting_fallback" }]);
  const attempt = attemptDetailSchema.parse(
    (await world.call("getAttempt", { params: { id: a.attemptId }, ...own })).body,
  );
  expect(attempt.toolCallId).toBe(a.heldCall.id);
  const disabled = { id: a.endpoint.id, url: gone.url, status: "disabled" };
  const enabled = [large, failing].map(({ url }) => ({ url, status: "enabled" }));
  expect((await world.call("listEndpoints", own)).body).toMatchObject({ data: [...enabled, disabled] });
});
