import {
  type AuditEntry,
  agentSchema,
  approvalSchema,
  auditEntrySchema,
  createdApiKeySchema,
  createdWorkspaceSchema,
  endpointSchema,
  executionSchema,
  generateSigningSecret,
  pageSchema,
  toolkitSchema,
  toolSourceSchema,
  workspaceToolSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { startAskingServer } from "../../../mcp/test/client/support/asking-server.ts";
import { calling, execute, expectStatus, makeAgent, saying, start } from "./support/agents.ts";
import type { Answer, ApiCaller, Call } from "./support/api-caller.ts";
import { startApp } from "./support/app.ts";
import { describedTool, startDescribingHandler } from "./support/describing-handler.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const signingSecret = generateSigningSecret();
const world = await startWorld({ allowSelfApproval: true, signingSecret });
const handler = await startHandler();
const described = await startDescribingHandler(async () => signingSecret, [describedTool("lookup")]);
afterAll(() => world.stop());

let count = 0;
const unique = (name: string) => `${name}_${++count}`;

async function make<Schema extends z.ZodType>(name: string, schema: Schema, call: Call): Promise<z.output<Schema>> {
  const answer = await world.call(name, call);
  return schema.parse(expectStatus(answer, answer.status < 300 ? answer.status : 200));
}

const makeTool = (rest: object = {}) =>
  make("createTool", workspaceToolSchema, {
    body: { definition: workTool(handler.url, { name: unique("work") }), ...rest },
  });
const makeToolkit = () =>
  make("createToolkit", toolkitSchema, { body: { name: unique("kit"), provider: "shop", credential: null } });
const sourceBody = (rest: object = {}) => ({
  ...{ name: unique("source"), kind: "handler", url: described.url },
  ...rest,
});
const makeSource = (rest: object = {}) => make("createToolSource", toolSourceSchema, { body: sourceBody(rest) });
const makeIntegration = async () => {
  const name = unique("shop").replace("_", "-");
  await world.call("createIntegration", { body: { name, allowedDomains: ["shop.example"] } });
  return name;
};
const intentBody = () => ({
  ...{ name: `business.${unique("order")}`, description: "Looks up an order.", parameters: { type: "object" } },
});
const makeIntent = async () => {
  const body = intentBody();
  await world.call("createIntent", { body });
  return body.name;
};
const capabilityBody = () => ({
  ...{ key: `mine.${unique("search")}`, intent: "web.search", mode: "runtime_function" },
  ...{ target: { builtin: "web_search" }, args: { query: "${query}" } },
});
const makeCapability = async () => {
  const body = capabilityBody();
  await world.call("createCapability", { body });
  return body.key;
};
const makeSecret = async () => {
  const name = unique("KEY");
  await world.call("putSecret", {
    params: { name },
    body: { value: "sk-first-value-of-a-secret", hosts: ["a.example"] },
  });
  return name;
};

const makeRestTool = async (toolkitId: string | null = null, on: ApiCaller = world) => {
  const rest = {
    name: unique("look"),
    description: "Looks.",
    method: "GET",
    url: "https://shop.example/look",
  };
  const answer = await on.call("createTool", { body: { definition: { rest }, draft: true, toolkitId } });
  return workspaceToolSchema.parse(expectStatus(answer, 201));
};

async function asked() {
  const tools = [workTool(handler.url, { sideEffect: "destructive" })];
  const agent = await makeAgent(world, { tools });
  const { id } = await start(world, agent.id, calling("work"));
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  await reader.until("execution.waiting");
  await reader.leave();
  const { body } = await world.call("listApprovals", { query: { status: "pending" } });
  const approval = pageSchema(approvalSchema)
    .parse(body)
    .data.find(({ executionId }) => executionId === id);
  return { executionId: id, approvalId: approval?.id ?? "" };
}

/** Returns the id of a call that asks for input. */
async function questioned() {
  const { url } = await startAskingServer();
  const body = { name: unique("asking"), kind: "mcp", url, accept: "all" };
  const source = await make("createToolSource", toolSourceSchema, { body });
  const agent = await makeAgent(world, { tools: [{ source: source.id }], policy: { network: true } });
  const { id } = await start(world, agent.id, calling(`${source.name}.paint`));
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  const { data } = await reader.until("input.requested");
  await reader.leave();
  return String(Object(data).toolCallId);
}

interface Change {
  readonly actions: readonly string[];
  readonly run: () => Promise<Answer>;
}

const id = (value: string): Call => ({ params: { id: value } });

/** Every changing route that the audit log tells of, and a request that changes something. */
const CHANGES: Readonly<Record<string, Change>> = {
  createAgent: {
    actions: ["agent.created"],
    run: () => world.call("createAgent", { body: { name: "a", model: "scripted/turns" } }),
  },
  updateAgent: {
    actions: ["agent.updated"],
    run: async () => world.call("updateAgent", { ...id((await makeAgent(world)).id), body: { name: "b" } }),
  },
  archiveAgent: {
    actions: ["agent.archived"],
    run: async () => world.call("archiveAgent", id((await makeAgent(world)).id)),
  },
  cancelExecution: {
    actions: ["execution.cancelled"],
    run: async () => world.call("cancelExecution", id((await asked()).executionId)),
  },
  replayExecution: {
    actions: ["execution.replayed"],
    run: async () => {
      const { id: agent } = await makeAgent(world);
      return world.call("replayExecution", id((await execute(world, agent, saying("hello"))).id));
    },
  },
  createExecutionToken: {
    actions: ["execution_token.created"],
    run: async () => world.call("createExecutionToken", id((await asked()).executionId)),
  },
  approve: {
    actions: ["approval.approved"],
    run: async () => world.call("approve", { ...id((await asked()).approvalId), body: { comment: "fine by me" } }),
  },
  answerInputRequest: {
    actions: ["input_request.answered"],
    run: async () =>
      world.call("answerInputRequest", {
        ...id(await questioned()),
        body: { round: 1, answers: { colour: { action: "decline" } } },
      }),
  },
  deny: { actions: ["approval.denied"], run: async () => world.call("deny", id((await asked()).approvalId)) },
  rotateSigningSecret: {
    actions: ["signing_secret.rotated"],
    run: () => world.call("rotateSigningSecret", { body: { name: unique("billing") } }),
  },
  putSecret: {
    actions: ["secret.set"],
    run: () => world.call("putSecret", { params: { name: unique("KEY") }, body: { value: "sk-a-value-of-a-secret" } }),
  },
  deleteSecret: {
    actions: ["secret.deleted"],
    run: async () => world.call("deleteSecret", { params: { name: await makeSecret() } }),
  },
  putProvider: {
    actions: ["provider.set"],
    run: () =>
      world.call("putProvider", { params: { name: "openai" }, body: { apiKey: "workspace-secret://OPENAI_KEY" } }),
  },
  deleteProvider: {
    actions: ["provider.deleted"],
    async run() {
      await world.call("putProvider", { params: { name: "mistral" }, body: { apiKey: "workspace-secret://M_KEY" } });
      return world.call("deleteProvider", { params: { name: "mistral" } });
    },
  },
  enableEndpoint: {
    actions: ["endpoint.enabled"],
    async run() {
      const gone = await startHandler({ status: 410, body: undefined });
      const agent = await makeAgent(world, { tools: [workTool(gone.url)] });
      await execute(world, agent.id, calling("work"));
      const { data } = pageSchema(endpointSchema).parse((await world.call("listEndpoints")).body);
      return world.call("enableEndpoint", id(data.find(({ url }) => url === gone.url)?.id ?? ""));
    },
  },
  createTool: {
    actions: ["tool.created"],
    run: () => world.call("createTool", { body: { definition: workTool(handler.url, { name: unique("work") }) } }),
  },
  importTools: {
    actions: ["tool.created", "toolkit.created"],
    run: () =>
      world.call("importTools", {
        body: {
          openapi: {
            openapi: "3.1.0",
            info: { title: "Shop", version: "1" },
            servers: [{ url: "https://shop.example" }],
            paths: { "/look": { get: { operationId: unique("look"), responses: { 200: { description: "ok" } } } } },
          },
        },
      }),
  },
  installToolTemplate: {
    actions: ["tool.created", "toolkit.created"],
    run: () => world.call("installToolTemplate", { ...id("open-meteo"), body: { namePrefix: "my_" } }),
  },
  updateTool: {
    actions: ["tool.updated"],
    run: async () => world.call("updateTool", { ...id((await makeTool()).id), body: { slots: 2 } }),
  },
  archiveTool: {
    actions: ["tool.archived"],
    run: async () => world.call("archiveTool", id((await makeTool()).id)),
  },
  testTool: {
    actions: ["tool.tested"],
    run: async () => world.call("testTool", { ...id((await makeTool()).id), body: { confirm: true } }),
  },
  createToolkit: {
    actions: ["toolkit.created"],
    run: () => world.call("createToolkit", { body: { name: "kit", provider: "shop" } }),
  },
  updateToolkit: {
    actions: ["toolkit.updated"],
    run: async () => world.call("updateToolkit", { ...id((await makeToolkit()).id), body: { provider: "other" } }),
  },
  deleteToolkit: {
    actions: ["tool.archived", "toolkit.deleted"],
    async run() {
      const toolkit = await makeToolkit();
      await makeRestTool(toolkit.id);
      return world.call("deleteToolkit", { ...id(toolkit.id), query: { tools: "archive" } });
    },
  },
  createToolSource: {
    actions: ["tool_source.accepted", "tool_source.created"],
    run: () => world.call("createToolSource", { body: sourceBody({ accept: "all" }) }),
  },
  updateToolSource: {
    actions: ["tool_source.updated"],
    run: async () => world.call("updateToolSource", { ...id((await makeSource()).id), body: { exclude: ["refund"] } }),
  },
  deleteToolSource: {
    actions: ["tool_source.deleted"],
    run: async () => world.call("deleteToolSource", id((await makeSource()).id)),
  },
  syncToolSource: {
    actions: ["tool_source.synced"],
    run: async () => world.call("syncToolSource", id((await makeSource()).id)),
  },
  acceptTools: {
    actions: ["tool_source.accepted"],
    async run() {
      const source = await makeSource();
      const tools = source.tools?.map(({ name, hash }) => ({ name, hash }));
      return world.call("acceptTools", { ...id(source.id), body: { tools } });
    },
  },
  revokeTools: {
    actions: ["tool_source.revoked"],
    run: async () => world.call("revokeTools", id((await makeSource({ accept: "all" })).id)),
  },
  createIntegration: {
    actions: ["integration.created"],
    run: () => world.call("createIntegration", { body: { name: "shop", allowedDomains: ["shop.example"] } }),
  },
  updateIntegration: {
    actions: ["integration.updated"],
    run: async () =>
      world.call("updateIntegration", { params: { name: await makeIntegration() }, body: { description: "The shop" } }),
  },
  deleteIntegration: {
    actions: ["integration.deleted"],
    run: async () => world.call("deleteIntegration", { params: { name: await makeIntegration() } }),
  },
  createIntent: {
    actions: ["intent.created"],
    run: () => world.call("createIntent", { body: intentBody() }),
  },
  updateIntent: {
    actions: ["intent.updated"],
    run: async () =>
      world.call("updateIntent", { params: { name: await makeIntent() }, body: { description: "Finds it." } }),
  },
  deleteIntent: {
    actions: ["intent.deleted"],
    run: async () => world.call("deleteIntent", { params: { name: await makeIntent() } }),
  },
  createCapability: {
    actions: ["capability.created"],
    run: () => world.call("createCapability", { body: capabilityBody() }),
  },
  updateCapability: {
    actions: ["capability.updated"],
    run: async () => world.call("updateCapability", { params: { key: await makeCapability() }, body: { priority: 9 } }),
  },
  deleteCapability: {
    actions: ["capability.deleted"],
    run: async () => world.call("deleteCapability", { params: { key: await makeCapability() } }),
  },
  createApiKey: {
    actions: ["api_key.created"],
    run: () => world.call("createApiKey", { body: { name: "ci", scopes: ["agents"] } }),
  },
  updateApiKey: {
    actions: ["api_key.updated"],
    run: async () => world.call("updateApiKey", { ...id((await world.makeKey(["agents"])).id), body: { name: "b" } }),
  },
  rotateApiKey: {
    actions: ["api_key.rotated"],
    run: async () => world.call("rotateApiKey", id((await world.makeKey(["agents"])).id)),
  },
  deleteApiKey: {
    actions: ["api_key.deleted"],
    run: async () => world.call("deleteApiKey", id((await world.makeKey(["agents"])).id)),
  },
};

/**
 * Changing routes in other workspaces, or that need more than one request to come about: the tests below are theirs, and
 * those of `adoptTools` and of `redeliverToolCall` are with the other tests of adoptions and redeliveries.
 */
const APART: ReadonlySet<string> = new Set([
  "adoptTools",
  "createWorkspace",
  "updateWorkspace",
  "validateTool",
  "finalizeTool",
  "finalizeToolkit",
  "confirmToolSourceLogin",
  "redeliverToolCall",
]);

/** Routes whose method changes something, and that the audit log does not tell of. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  executeAgent: "an execution is a record of its own, which names the key that started it",
  executeAgentStream: "the same",
  answerFallback: "an event of its execution",
  receiveCallback: "a handler's answer: an event of its execution",
  testToolSource: "the source is read and nothing is saved",
  previewTool: "nothing is sent and nothing is saved",
  startToolSourceLogin: "nothing changes until the sign-in is confirmed",
  listImportOperations: "a document is read and nothing is saved",
  routeAgent: "a decision is made and nothing runs",
};

const list = async (query: Record<string, string> = {}) =>
  pageSchema(auditEntrySchema).parse(expectStatus(await world.call("listAuditEntries", { query }), 200)).data;

it("every changing route either writes entries or is an exception with a reason", () => {
  const changing = world.operations.filter(({ method }) => method !== "get").map(({ name }) => name);
  const decided = [...Object.keys(CHANGES), ...APART, ...Object.keys(EXCEPTIONS)];
  expect(decided.toSorted()).toEqual(changing.toSorted());
});

describe.each(Object.entries(CHANGES))("%s", (_name, { actions, run }) => {
  it(`writes ${actions.join(" and ")}`, async () => {
    const answer = await run();
    expect(answer.status).toBeLessThan(300);
    const requestId = answer.headers.get("x-request-id");
    const entries = (await list({ limit: "200" })).filter((entry) => entry.requestId === requestId);
    expect([...new Set(entries.map(({ action }) => action))].toSorted()).toEqual(actions);
    for (const entry of entries) expectWhole(entry);
  });
});

function expectWhole(entry: AuditEntry): void {
  expect(entry).toMatchObject({
    actor: { type: "bootstrap", keyId: null, keyName: null, workspaceId: entry.workspaceId },
    address: "127.0.0.1",
    resource: { type: entry.action.split(".")[0] },
  });
  expect(entry.before).not.toEqual(entry.after);
  expect(JSON.stringify(entry)).not.toMatch(/sk-|whsec_|yk_|yt_|fine by me/);
}

it("a workspace that is made, and its plan that is changed, stand in that workspace's log", async () => {
  const made = await make("createWorkspace", createdWorkspaceSchema, { body: { name: unique("tenant") } });
  await world.call("updateWorkspace", { ...id(made.id), body: { plan: "pro" } });
  await world.call("updateWorkspace", { ...id(made.id), body: { plan: "pro" } });
  const { key } = await make("createApiKey", createdApiKeySchema, {
    body: { name: "own", scopes: ["admin"], workspaceId: made.id },
  });
  const entries = await list({ workspaceId: made.id });
  expect(entries.map(({ action }) => action)).toEqual(["api_key.created", "workspace.updated", "workspace.created"]);
  expect(entries[1]).toMatchObject({ before: { plan: "standard" }, after: { plan: "pro" } });
  expect(entries[0]?.actor.workspaceId).not.toBe(made.id);
  const own = pageSchema(auditEntrySchema).parse((await world.call("listAuditEntries", { key })).body);
  expect(own.data).toEqual(entries.map((entry) => ({ ...entry, address: null })));
});

it("an agent's entry has what there was before and after", async () => {
  const { agent } = {
    agent: await make("createAgent", agentSchema, { body: { name: "v1", model: "scripted/turns" } }),
  };
  await world.call("updateAgent", { ...id(agent.id), body: { name: "v2" } });
  const [updated, created] = await list({ resourceId: agent.id });
  const { warnings: _warnings, ...saved } = agent;
  expect(created).toMatchObject({ before: null, after: saved, resource: { type: "agent", id: agent.id, name: "v1" } });
  expect(updated).toMatchObject({
    before: saved,
    after: { ...saved, name: "v2", version: 2, updatedAt: expect.any(String) },
  });
});

it("a decision's entry says what was decided, and nothing of the arguments", async () => {
  const { approvalId, executionId } = await asked();
  await world.call("approve", { ...id(approvalId), body: { parameters: {} } });
  const [entry] = await list({ resourceId: approvalId });
  expect(entry?.before).toMatchObject({ status: "pending", executionId, tool: "work" });
  expect(entry?.after).toMatchObject({ status: "approved", isEdited: true, isSelfApproval: true });
  expect((await world.call("approve", id(approvalId))).status).toBe(409);
  expect(await list({ resourceId: approvalId })).toHaveLength(1);
  expect(executionSchema.parse((await world.call("getExecution", id(executionId))).body).id).toBe(executionId);
});

it.each<[string, Call]>([
  ["createAgent", { body: { name: "a" } }],
  ["archiveAgent", id("agt_01m7yj864ke00brb1mkxjenfhm")],
  ["deleteSecret", { params: { name: "NOT_THERE" } }],
  ["createIntegration", { body: { name: "shop", allowedDomains: ["shop.example"] } }],
  ["createIntent", { body: { name: "web.search", description: "x", parameters: { type: "object" } } }],
  ["createCapability", { body: { key: "mine.none", intent: "web.none" } }],
  ["createApiKey", { body: { name: "ci", scopes: ["agents"] }, key: null }],
])("a refused %s writes nothing", async (name, call) => {
  await world.call("createIntegration", { body: { name: "shop", allowedDomains: ["shop.example"] } });
  const before = await list({ limit: "200" });
  expect((await world.call(name, call)).status).toBeGreaterThanOrEqual(400);
  expect((await list({ limit: "200" }))[0]).toEqual(before[0]);
});

it("a change that changes nothing writes nothing", async () => {
  const agent = await makeAgent(world, { name: "same" });
  await world.call("updateAgent", { ...id(agent.id), body: { name: "same" } });
  expect(await list({ resourceId: agent.id })).toHaveLength(1);
});

describe("tools whose test went well", () => {
  it("are validated and finalized on record, alone and with their toolkit", async () => {
    const app = await startApp();
    try {
      const { tools } = app.composed.store;
      const { defaultWorkspaceId: workspaceId } = app.composed;
      const { id: kitId } = toolkitSchema.parse(
        (await app.call("createToolkit", { body: { name: "Kit", provider: "shop" } })).body,
      );
      const one = await makeRestTool(kitId, app);
      const other = await makeRestTool(kitId, app);
      for (const { id: toolId, version } of [one, other]) {
        await tools.advance(workspaceId, { toolId, version, from: "draft", to: "tested" });
        expectStatus(await app.call("validateTool", id(toolId)), 200);
      }
      expectStatus(await app.call("finalizeTool", id(one.id)), 200);
      expectStatus(await app.call("finalizeToolkit", id(kitId)), 200);
      const { data } = pageSchema(auditEntrySchema).parse((await app.call("listAuditEntries")).body);
      const steps = (toolId: string) =>
        data
          .filter(({ resource }) => resource.id === toolId)
          .map(({ action, before, after }) => [action, before?.["status"], after?.["status"]]);
      const made = ["tool.created", undefined, "draft"];
      const validated = ["tool.validated", "tested", "validated"];
      const finalized = ["tool.finalized", "validated", "created"];
      expect(steps(one.id)).toEqual([finalized, validated, made]);
      expect(steps(other.id)).toEqual([finalized, validated, made]);
    } finally {
      await app.stop();
    }
  });
});
