import { type Agent, pageSchema, type ToolCallRecord, toolCallRecordSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { execute, expectStatus, fieldsOf, makeAgent } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type Tenant, type World } from "./support/world.ts";

const LOOPBACK = ["127.0.0.0/8"];
const handler = await startHandler();
const { port } = new URL(handler.url);

// The ids of workspaces are known once they are there; their agents were saved while the networks were everybody's.
const before = await startWorld({ allowCidrs: LOOPBACK });
const opened = await before.makeWorkspace("opened");
const elsewhere = await before.makeWorkspace("elsewhere");
const closed = await before.makeWorkspace("closed");
const ownTenant = { workspaceId: "", key: before.key };
const agents = new Map<Tenant, Agent>();
for (const tenant of [ownTenant, opened, elsewhere, closed]) agents.set(tenant, await agentOf(before, tenant));
await before.close();

const world = await startWorld({
  dataDir: before.dataDir,
  apiKey: before.key,
  allowCidrs: LOOPBACK,
  workspaceCidrs: { [opened.workspaceId]: LOOPBACK, [elsewhere.workspaceId]: ["10.0.0.0/8"] },
});
afterAll(() => world.stop());

async function agentOf(api: World, { key }: Tenant): Promise<Agent> {
  const integration = { name: "near", allowedDomains: ["127.0.0.1"], ports: [443, Number(port)] };
  expectStatus(await api.call("createIntegration", { key, body: integration }), 201);
  const tools = [workTool(handler.url), { builtin: "http_post" }];
  const definition = { tools, integrations: ["near"], policy: { network: true } };
  return makeAgent(api, definition, { key });
}

async function run(api: World, tenant: Tenant, name: string): Promise<ToolCallRecord | undefined> {
  const { key } = tenant;
  const toolCalls = [{ name, parameters: name === "work" ? {} : { url: handler.url, body: {} } }];
  const script = { turns: [{ toolCalls }, { text: "done" }] };
  const { id } = await execute(api, agents.get(tenant)?.id ?? "", { input: "go", script }, { key });
  const { body } = await api.call("listToolCalls", { key, params: { id } });
  return pageSchema(toolCallRecordSchema).parse(body).data[0];
}

describe.each(["work", "http_post"])("a call of %s into a private network", (name) => {
  it("leaves from the workspaces that it was opened for, and from no other", async () => {
    const codes = [];
    // In this order a connection that is open for one is there when the next one calls.
    for (const tenant of [ownTenant, elsewhere, opened, closed, opened, elsewhere, ownTenant]) {
      const reached = handler.calls.length;
      const call = await run(world, tenant, name);
      codes.push(call?.error?.code ?? call?.status);
      expect(handler.calls.length - reached).toBe(call?.status === "completed" ? 1 : 0);
    }
    const expected = ["completed", "DNS_BLOCKED", "completed", "URL_BLOCKED", "completed", "DNS_BLOCKED", "completed"];
    expect(codes).toEqual(expected);
  });
});

describe("a saved URL in a private network", () => {
  const save = (tenant: Tenant, url: string) =>
    world.call("createAgent", {
      key: tenant.key,
      body: { name: "saved", model: "scripted/turns", tools: [workTool(url)] },
    });

  it.each<[string, Tenant, string, number]>([
    ["of the workspace default", ownTenant, handler.url, 201],
    ["of a workspace that it was opened for", opened, handler.url, 201],
    ["of one with other networks", elsewhere, handler.url, 422],
    ["of one with other networks, inside those", elsewhere, "http://10.1.2.3/tools", 201],
    ["of the workspace default, in the networks of another one", ownTenant, "http://10.1.2.3/tools", 422],
    ["of a workspace without any", closed, handler.url, 422],
  ])("%s", async (_whose, tenant, url, status) => {
    const answer = await save(tenant, url);
    expect(answer.status).toBe(status);
    if (status === 422) expect(fieldsOf(answer)[0]).toMatch(/^tools\[0\]\.handler: /);
  });

  it("of a workspace that was made since is refused", async () => {
    const late = await world.makeWorkspace("late");
    expect((await save(late, handler.url)).status).toBe(422);
  });
});

it("an empty workspaceCidrs leaves the networks to the workspace default", async () => {
  await world.close();
  const next = await startWorld({
    dataDir: before.dataDir,
    apiKey: before.key,
    allowCidrs: LOOPBACK,
    workspaceCidrs: {},
  });
  try {
    expect(await run(next, ownTenant, "work")).toMatchObject({ status: "completed" });
    expect((await run(next, opened, "work"))?.error).toMatchObject({ code: "URL_BLOCKED" });
  } finally {
    await next.close();
  }
  const shared = await startWorld({ dataDir: before.dataDir, apiKey: before.key, allowCidrs: LOOPBACK });
  try {
    expect(await run(shared, opened, "work")).toMatchObject({ status: "completed" });
  } finally {
    await shared.close();
  }
});
