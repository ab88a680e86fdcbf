import { type Integration, integrationSchema, pageSchema, workspaceSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, execute, expectStatus, fieldsOf, makeAgent, problemOf } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld({ plans: { partner: { callsPerMinute: 100 } } });
afterAll(() => world.stop());

const SHOP = { name: "shop", allowedDomains: ["api.shop.example"] };

const create = async (body: object, key = world.key): Promise<Integration> =>
  integrationSchema.parse(expectStatus(await world.call("createIntegration", { body, key }), 201));
const update = (name: string, body: object, key = world.key) =>
  world.call("updateIntegration", { params: { name }, body, key });

describe("an integration", () => {
  it("is made, read, changed and deleted", async () => {
    const { key } = await world.makeWorkspace("whole");
    const limits = { standard: { callsPerMinute: 5 }, partner: { responseBytes: 1_000 } };
    const made = await create({ ...SHOP, description: "the shop", limits }, key);
    expect(made).toEqual({
      ...{
        name: "shop",
        version: 1,
        description: "the shop",
        allowedDomains: ["api.shop.example"],
        ports: [443],
        limits,
      },
      createdAt: made.updatedAt,
      updatedAt: expect.stringMatching(/Z$/),
    });
    const read = async () => (await world.call("getIntegration", { params: { name: "shop" }, key })).body;
    expect(await read()).toEqual(made);

    const change = { version: 1, ports: [8_443], limits: null };
    const { limits: _limits, ...rest } = made;
    expect(expectStatus(await update("shop", change, key), 200)).toEqual({
      ...rest,
      version: 2,
      ports: [8_443],
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(expectStatus(await update("shop", { ports: [8_443] }, key), 200)).toMatchObject({ version: 2 });
    expect(problemOf(await update("shop", change, key))).toMatchObject({ status: 409, code: "CONFLICT" });

    const remove = () => world.call("deleteIntegration", { params: { name: "shop" }, key });
    expect((await remove()).status).toBe(204);
    expect(problemOf(await remove())).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(problemOf(await update("shop", {}, key))).toMatchObject({ status: 404 });
  });

  it("lets one of two writers through who have read the same version", async () => {
    const { key } = await world.makeWorkspace("writers");
    await create(SHOP, key);
    const answers = await Promise.all([80, 81].map((port) => update("shop", { version: 1, ports: [port] }, key)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const both = await Promise.all([82, 83].map((port) => update("shop", { ports: [port] }, key)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("has its name once in a workspace, and is invisible to others", async () => {
    const [one, other] = [await world.makeWorkspace("one"), await world.makeWorkspace("other")];
    const made = await create(SHOP, one.key);
    await create({ ...SHOP, ports: [444] }, other.key);
    const again = await world.call("createIntegration", { body: SHOP, key: one.key });
    expect(problemOf(again)).toMatchObject({ status: 409, code: "CONFLICT" });
    await create({ ...SHOP, name: "mail" }, one.key);
    const { body } = await world.call("listIntegrations", { key: one.key });
    const { data } = pageSchema(integrationSchema).parse(body);
    expect(data.map(({ name }) => name)).toEqual(["mail", "shop"]);
    expect(data[1]).toEqual(made);
  });

  it("names everything that is wrong with it at once", async () => {
    const body = { name: "webhook", allowedDomains: ["https://a.example"], ports: [0], owner: "me" };
    const fields = fieldsOf(await world.call("createIntegration", { body }));
    expect(fields.map((field) => field.split(":")[0])).toEqual(["name", "allowedDomains[0]", "ports[0]", "owner"]);
    const limits = { standard: { callsPerMinute: 1 }, gold: { callsPerMinute: 1 } };
    expect(fieldsOf(await world.call("createIntegration", { body: { ...SHOP, limits } }))).toEqual([
      "limits.gold: expected a plan of this gateway: standard, pro, partner",
    ]);
  });

  it("needs the scope tools", async () => {
    const { text: key } = await world.makeKey(["agents", "admin"]);
    expect((await world.call("createIntegration", { body: SHOP, key })).status).toBe(403);
  });

  it("must be there when an agent that enables it is saved", async () => {
    const { key } = await world.makeWorkspace("agents");
    const body = { name: "a", model: "scripted/turns", integrations: ["shop"], credentials: ["GONE"] };
    const refused = await world.call("createAgent", { body, key });
    expect(fieldsOf(refused).map((field) => field.split(":")[0])).toEqual(["integrations[0]", "credentials[0]"]);
    await create(SHOP, key);
    await makeAgent(world, { integrations: ["shop"] }, { key });
  });
});

describe("the plan of a workspace", () => {
  it("is given by operators, when it is made and later", async () => {
    const made = await world.call("createWorkspace", { body: { name: "planned", plan: "partner" } });
    const { id } = workspaceSchema.parse(expectStatus(made, 201));
    const change = (plan: string, key = world.key) =>
      world.call("updateWorkspace", { params: { id }, body: { plan }, key });
    expect(expectStatus(await change("pro"), 200)).toMatchObject({ id, name: "planned", plan: "pro" });
    const { body } = await world.call("listWorkspaces");
    expect(
      pageSchema(workspaceSchema)
        .parse(body)
        .data.find((workspace) => workspace.id === id)?.plan,
    ).toBe("pro");
    expect(fieldsOf(await change("gold"))).toEqual(["plan: expected a plan of this gateway: standard, pro, partner"]);
    expect(fieldsOf(await world.call("createWorkspace", { body: { name: "x", plan: "gold" } }))).toHaveLength(1);
    const tenant = await world.makeKey(["admin"], id);
    expect((await change("partner", tenant.text)).status).toBe(403);
    const missing = { params: { id: "ws_01m7yj864ke00brb1mkxjenfhm" }, body: { plan: "pro" } };
    expect((await world.call("updateWorkspace", missing)).status).toBe(404);
  });

  it("is standard where nobody says another", async () => {
    expect((await world.call("createWorkspace", { body: { name: "plain" } })).body).toMatchObject({ plan: "standard" });
  });
});

it("a call that is blocked says why in its record", async () => {
  const agent = await makeAgent(world, {
    tools: [{ builtin: "datetime" }],
    policy: { toolKinds: ["handler"] },
  });
  const { id } = await execute(world, agent.id, calling("datetime"));
  const { body } = await world.call("listToolCalls", { params: { id } });
  expect(body).toMatchObject({ data: [{ status: "denied", blocked: true, blockReason: "policy_denied" }] });
});
