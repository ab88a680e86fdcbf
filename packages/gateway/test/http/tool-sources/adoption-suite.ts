import { auditEntrySchema, type JsonObject, pageSchema, type ToolSource } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { type AdoptionWorld, startAdoptionWorld } from "../support/adoption-world.ts";
import { execute, expectStatus, makeAgent, problemOf } from "../support/agents.ts";
import { documentOf, SHOP } from "../support/document-server.ts";

export function describeAdoption(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`adopting imported tools ${place}`, () => {
    let world: AdoptionWorld;
    beforeAll(async () => {
      world = await startAdoptionWorld(await configure());
    }, 60_000);
    afterAll(() => world?.stop());

    const statesOf = ({ tools = [] }: ToolSource) =>
      Object.fromEntries(tools.map(({ name, state, toolId }) => [name, `${state} ${toolId ?? "-"}`]));
    const describedAs = (text: string) => ({
      ...SHOP,
      "/orders/{id}": { get: { ...SHOP["/orders/{id}"].get, summary: text } },
    });
    const edit = async (id: string, change: JsonObject) => {
      const body = { definition: { rest: { ...(await world.restOf(id)), ...change } } };
      const saved = await world.call("updateTool", { params: { id }, body });
      expectStatus(saved, 200);
      await world.advance(id);
    };

    it("accepts the operations of tools that were not edited, which keep their ids", async () => {
      const { source, ids, idOf } = await world.startImported();
      const after = await world.adopted(source, Object.values(ids));
      expect(after).toMatchObject({ status: "ready" });
      expect(statesOf(after)).toEqual({
        create_order: `accepted ${idOf("create_order")}`,
        get_order: `accepted ${idOf("get_order")}`,
        list_orders: `accepted ${idOf("list_orders")}`,
      });
      expect(await world.toolOf(idOf("get_order"))).toMatchObject({ version: 1, status: "created" });
      // Adopting them again changes nothing.
      expect(await world.adopted(source, Object.values(ids))).toMatchObject({ generation: after.generation });
    });

    it("shows what was edited by hand as a change to accept, which adds a version to the tool", async () => {
      const { source, idOf, namePrefix } = await world.startImported();
      await edit(idOf("get_order"), { description: "Written by hand." });
      expect(statesOf(await world.adopted(source, [idOf("get_order")]))).toMatchObject({
        get_order: `changed ${idOf("get_order")}`,
      });
      const change = (await world.changes(source.id)).find(({ name }) => name === "get_order");
      expect(change).toMatchObject({
        before: { rest: { description: "Written by hand." } },
        after: { rest: { description: "Runs getOrder." } },
      });
      const { version } = await world.toolOf(idOf("get_order"));
      await world.accept(source.id, ["get_order"]);
      expect(await world.toolOf(idOf("get_order"))).toMatchObject({
        ...{ version: version + 1, status: "created", name: `${namePrefix}get_order` },
        definition: { rest: { name: `${namePrefix}get_order`, description: "Runs getOrder." } },
      });
    });

    it("holds an operation that changes, while agents that name the tool continue to work", async () => {
      const { server, source, idOf, namePrefix } = await world.startImported();
      await world.adopted(source, [idOf("get_order")]);
      const tool = { tool: idOf("get_order") };
      const agent = await makeAgent(world, { policy: { network: true }, tools: [tool, { source: source.name }] });
      server.document = documentOf(describedAs("Reads one order."));
      expect(statesOf(await world.sync(source.id))).toMatchObject({ get_order: `changed ${idOf("get_order")}` });
      expect(await world.toolOf(idOf("get_order"))).toMatchObject({ version: 1 });
      const callOf = (name: string) => ({
        input: "hello",
        script: { turns: [{ toolCalls: [{ name, parameters: { id: "7" } }] }, { text: "ok" }] },
      });
      const ended = await execute(world, agent.id, callOf(`${namePrefix}get_order`));
      expect(ended).toMatchObject({ status: "completed" });
      expect(server.calls.at(-1)).toMatchObject({ method: "GET", url: "/v1/orders/7" });
      await world.accept(source.id, ["get_order"]);
      expect(await world.toolOf(idOf("get_order"))).toMatchObject({ version: 2 });
      // The agent does not get the tool a second time, under its name in the source.
      const calls = server.calls.length;
      await execute(world, agent.id, callOf(`${source.name}.get_order`));
      expect(server.calls).toHaveLength(calls);
    });

    it("leaves the definition of the tool to its source until one of the two is deleted", async () => {
      const { source, idOf } = await world.startImported();
      await world.adopted(source, [idOf("get_order"), idOf("list_orders")]);
      const params = { id: idOf("get_order") };
      const body = { definition: { rest: { ...(await world.restOf(idOf("get_order"))), description: "Mine." } } };
      const refused = await world.call("updateTool", { params, body });
      expect(problemOf(refused)).toMatchObject({
        ...{ status: 409, code: "CONFLICT" },
        detail: expect.stringContaining(`follows get_order of the tool source ${source.name}`),
      });
      expectStatus(await world.call("updateTool", { params, body: { capabilityKey: "orders" } }), 200);
      expectStatus(await world.call("archiveTool", { params: { id: idOf("list_orders") } }), 204);
      expect(statesOf(await world.readSource(source.id))).toMatchObject({ list_orders: "accepted -" });
      expectStatus(await world.call("deleteToolSource", { params: { id: source.id } }), 204);
      expectStatus(await world.call("updateTool", { params, body }), 200);
    });

    it("records the adoption of each tool", async () => {
      const { source, idOf } = await world.startImported();
      await world.adopted(source, [idOf("get_order")]);
      const query = { resourceId: source.id, limit: "20" };
      const { data } = pageSchema(auditEntrySchema).parse(
        expectStatus(await world.call("listAuditEntries", { query }), 200),
      );
      expect(data.map(({ action }) => action).toSorted()).toEqual([
        ...["tool_source.accepted", "tool_source.adopted", "tool_source.created"],
      ]);
      expect(data.find(({ action }) => action === "tool_source.adopted")).toMatchObject({
        after: { tool: "get_order", toolId: idOf("get_order") },
      });
    });

    it("adopts none of the tools if one of them cannot follow an operation", async () => {
      const { server, source, idOf } = await world.startImported();
      const drafts = await world.importTools(server, SHOP, false);
      const other = await world.makeSource(server, { kind: "openapi" });
      await world.adopted(other, [idOf("create_order")]);
      const errorsOf = async (tools: readonly object[]) =>
        (problemOf(await world.adopt(source, tools)).errors ?? []).map(({ path, code }) => `${path} ${code}`);
      const good = { toolId: idOf("list_orders") };
      expect(
        await errorsOf([
          good,
          { toolId: drafts.idOf("get_order") },
          { toolId: "tool_01m7yj864ke00brb1mkxjenfhm" },
          { toolId: idOf("create_order") },
        ]),
      ).toEqual(["tools[1].toolId NOT_FINALIZED", "tools[2].toolId UNKNOWN_TOOL", "tools[3].toolId TOOL_TAKEN"]);
      expect(await errorsOf([good, { toolId: idOf("get_order"), name: "none" }])).toEqual([
        "tools[1].name NO_OPERATION",
      ]);
      const states = { create_order: "new -", get_order: "new -", list_orders: "new -" };
      expect(statesOf(await world.readSource(source.id))).toEqual(states);
    });

    it("adopts no tools for a source of another kind", async () => {
      const source = await world.makeSource(await world.startHandler([]));
      const refused = await world.adopt(source, [{ toolId: "tool_01m7yj864ke00brb1mkxjenfhm" }]);
      expect(problemOf(refused)).toMatchObject({ status: 409, code: "CONFLICT" });
    });
  });
}
