import { randomBytes } from "node:crypto";
import type { WorkspaceTool } from "@yagate/client";
import { beforeEach, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../services/migrated-stores.ts";
import { hasPostgres } from "../services/postgres.ts";
import { API_HOST, type ApiRequest, startApiService } from "./support/api-service.ts";
import { openWorld, type World } from "./support/world.ts";

const KEY = "key of the shop 0123456789";
const SECRET = { value: KEY, auth: { type: "header" as const, name: "X-Api-Key" }, hosts: [API_HOST] };

/** Orders that tell the key that they were asked with; a shop that is closed fails. */
async function startShop() {
  const state = { isOpen: true };
  const orders = Array.from({ length: 200 }, (_, id) => ({ id, title: `order ${id}` }));
  const service = await startApiService(({ headers }: ApiRequest, response) => {
    if (!state.isOpen) response.status(503).json({ told: headers["x-api-key"] });
    else response.json({ told: headers["x-api-key"], orders });
  });
  const definition = (path = "/shops/{shop}/orders/{id}") => ({
    rest: {
      ...{ name: "orders.put", description: "Changes an order.", method: "PUT" as const, url: service.url + path },
      ...{ credential: "SHOP_KEY", sideEffect: "idempotent_write" as const },
      parameters: [
        { name: "shop", in: "path" as const, type: "string" as const, value: "berlin" },
        { name: "id", in: "path" as const, type: "string" as const },
        { name: "quantity", in: "body" as const, type: "integer" as const, required: true },
        { name: "channel", in: "body" as const, type: "string" as const, value: "assistant" },
      ],
    },
  });
  return { ...service, state, definition };
}

const refusal = (code: string) => expect.objectContaining({ code });

/** What became of things that were done at once: how many were done, and the codes of the others. */
async function atOnce(doings: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(doings);
  const refused = settled.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
  return { done: settled.length - refused.length, refused };
}

let config: { readonly databaseUrl?: string; readonly masterKeys?: string } = {};

function describeRestTools(openSecond: (first: World) => Promise<World>): void {
  it("a request becomes a tool that an agent calls, step by step", async () => {
    const { client, createAgent } = await openWorld(config);
    const shop = await startShop();
    await client.secrets.set("SHOP_KEY", SECRET);
    const statusOf = async ({ id }: WorkspaceTool) => (await client.tools.get(id)).status;
    const policy = { network: true };

    const draft = await client.tools.create({
      draft: true,
      definition: { rest: { ...shop.definition().rest, parameters: [] } },
    });
    expect(draft).toMatchObject({ status: "draft", version: 1 });
    await expect(client.tools.test(draft.id, { confirm: true })).rejects.toThrow();
    expect(shop.requests).toEqual([]);

    const tool = await client.tools.update(draft.id, { definition: shop.definition(), version: 1 });
    expect(tool).toMatchObject({ status: "configured", version: 2 });
    await expect(client.tools.validate(tool.id)).rejects.toEqual(refusal("CONFLICT"));
    await expect(createAgent([{ tool: tool.id }], { policy })).rejects.toEqual(refusal("INVALID_REQUEST"));
    const parameters = { id: "a/b", quantity: 2 };
    expect(await client.tools.preview({ tool: tool.id, parameters })).toMatchObject({
      ...{ method: "PUT", url: `${shop.url}/shops/berlin/orders/a%2Fb` },
      headers: { "x-api-key": "***SHOP_KEY***" },
      body: { quantity: 2, channel: "assistant" },
    });
    await expect(client.tools.test(tool.id, { parameters })).rejects.toEqual(refusal("INVALID_REQUEST"));
    expect(shop.requests).toEqual([]);

    shop.state.isOpen = false;
    expect(await client.tools.test(tool.id, { parameters, confirm: true })).toMatchObject({
      status: "configured",
      lastTest: { ok: false },
    });
    shop.state.isOpen = true;
    const tested = await client.tools.test(tool.id, { parameters, confirm: true });
    expect(tested).toMatchObject({ status: "tested", lastTest: { ok: true } });
    expect(shop.requests.at(-1)).toMatchObject({
      ...{ method: "PUT", url: "/shops/berlin/orders/a%2Fb", body: '{"quantity":2,"channel":"assistant"}' },
      headers: { "x-api-key": KEY },
    });
    const whole = JSON.stringify(await client.tools.getTest(tool.id));
    expect(whole).toContain("order 199");
    expect(JSON.stringify(tested)).not.toContain("order 199");
    for (const kept of [whole, JSON.stringify(tested)]) expect(kept).not.toContain(KEY);

    expect(await client.tools.validate(tool.id)).toMatchObject({ status: "validated" });
    await expect(createAgent([{ tool: tool.id }], { policy })).rejects.toEqual(refusal("INVALID_REQUEST"));
    expect(await client.tools.finalize(tool.id)).toMatchObject({ status: "created", version: 2 });

    const agent = await createAgent([{ tool: tool.id }], { policy });
    const play = async () => {
      const toolCalls = [{ name: "orders.put", parameters: { id: "7", quantity: 3 } }];
      const script = { turns: [{ toolCalls }, { text: "done" }] };
      const execution = await client.agents.execute(agent.id, { input: "three of them", script });
      return execution.toolCalls[0];
    };
    expect(await play()).toMatchObject({
      ...{ status: "completed", cost: { credits: 0.5 }, attempts: [{ credential: "SHOP_KEY", httpStatus: 200 }] },
    });

    // An agent stays on the version that it was saved with, whatever becomes of the tool.
    const changed = await client.tools.update(tool.id, { definition: shop.definition("/v2/{shop}/{id}"), version: 2 });
    expect(changed).toMatchObject({ status: "configured", version: 3 });
    expect(await play()).toMatchObject({ status: "completed" });
    expect(shop.requests.at(-1)?.url).toBe("/shops/berlin/orders/7");
    await client.tools.delete(tool.id);
    expect(await play()).toMatchObject({ status: "completed" });
    await expect(createAgent([{ tool: tool.id }], { policy })).rejects.toEqual(refusal("INVALID_REQUEST"));
    expect(await statusOf(tool).catch(({ code }: { code: string }) => code)).toBe("NOT_FOUND");
  });

  it("of two who write one tool at once, one is refused", async () => {
    const here = await openWorld(config);
    const there = await openSecond(here);
    const shop = await startShop();
    await here.client.secrets.set("SHOP_KEY", SECRET);
    const definition = shop.definition();
    const both = [here, there].map(({ client }) => client.tools);
    expect(await atOnce(both.map((tools) => tools.create({ definition })))).toEqual({ done: 1, refused: ["CONFLICT"] });
    const [tool, ...others] = (await there.client.tools.list().page()).data;
    if (tool === undefined) throw new Error("expected a tool");
    expect(others).toEqual([]);
    for (const version of [1, 2, 3]) {
      const writing = both.map((tools, index) => tools.update(tool.id, { version, slots: 2 * version + index }));
      expect(await atOnce(writing)).toEqual({ done: 1, refused: ["CONFLICT"] });
    }
    expect((await here.client.tools.get(tool.id)).version).toBe(4);
  });
}

describe("REST tools on SQLite", () => {
  beforeEach(() => {
    config = {};
  });
  describeRestTools(async (first) => first);
});

describe.skipIf(!hasPostgres())("REST tools on PostgreSQL", () => {
  beforeEach(async () => {
    config = {
      databaseUrl: await createMigratedDatabase(),
      masterKeys: `k1:${randomBytes(32).toString("base64")}`,
    };
  });
  describeRestTools((first) => openWorld({ ...config, signingSecret: first.secret }));
});
