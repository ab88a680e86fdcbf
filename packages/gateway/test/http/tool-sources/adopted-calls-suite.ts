import { type JsonValue, toolCallRecordSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { type AdoptionWorld, startAdoptionWorld } from "../support/adoption-world.ts";
import { execute, expectStatus, makeAgent, startAsking } from "../support/agents.ts";
import { documentOf, SHOP } from "../support/document-server.ts";
import { EventReader } from "../support/event-reader.ts";

export function describeAdoptedCalls(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`agents that name adopted tools by their ids ${place}`, () => {
    let world: AdoptionWorld;
    beforeAll(async () => {
      world = await startAdoptionWorld({ ...(await configure()), allowSelfApproval: true });
    }, 60_000);
    afterAll(() => world?.stop());

    const ORDER = "/orders/{id}";
    const without = (path: keyof typeof SHOP) =>
      Object.fromEntries(Object.entries(SHOP).filter(([key]) => key !== path));
    const describedAs = (summary: string) => ({ ...SHOP, [ORDER]: { get: { ...SHOP[ORDER].get, summary } } });

    /** Imports the shop, and makes an agent that names `get_order` by its id. */
    const startNamed = async ({ isAdopted = true, policy = {} }: { isAdopted?: boolean; policy?: object } = {}) => {
      const imported = await world.startImported();
      const { source, server, namePrefix } = imported;
      const toolId = imported.idOf("get_order");
      const adopt = () => world.adopted(source, [toolId]);
      if (isAdopted) await adopt();
      const agent = await makeAgent(world, { policy: { network: true, ...policy }, tools: [{ tool: toolId }] });
      const body = {
        input: "hello",
        script: {
          turns: [{ toolCalls: [{ name: `${namePrefix}get_order`, parameters: { id: "7" } }] }, { text: "ok" }],
        },
      };
      const before = server.calls.length;
      const params = { id: source.id };
      return {
        ...{ ...imported, toolId, agent, params, adopt },
        /** The calls since the agent was made. */
        calls: () => server.calls.slice(before).filter(({ url }) => url.startsWith("/v1/")),
        ask: () => startAsking(world, agent.id, body),
        call: async () => callOf((await execute(world, agent.id, body)).id),
        revoke: async () =>
          expectStatus(await world.call("revokeTools", { params, body: { tools: ["get_order"] } }), 200),
        async publish(paths: object) {
          server.document = documentOf(paths);
          await world.sync(source.id);
        },
        remove: async () => expectStatus(await world.call("deleteToolSource", { params }), 204),
      };
    };
    type Named = Awaited<ReturnType<typeof startNamed>>;

    const callOf = async (id: string) => {
      const { data } = expectStatus(await world.call("listToolCalls", { params: { id } }), 200) as {
        data: JsonValue[];
      };
      return toolCallRecordSchema.parse(data[0]);
    };
    const ended = async (id: string) => {
      const reader = new EventReader(await world.open("followExecution", { params: { id } }));
      await reader.until("execution.completed");
      await reader.leave();
      return callOf(id);
    };
    const approvalOf = async (executionId: string) => {
      const { body } = await world.call("listApprovals", { query: { status: "pending" } });
      const { data } = body as { data: { id: string; executionId: string }[] };
      return data.find((approval) => approval.executionId === executionId)?.id ?? "";
    };
    const held = { status: "failed", error: { code: "TOOL_HELD", outcome: "none", source: "gateway" } };

    it.each<[string, (named: Named) => Promise<unknown>, string]>([
      ["was revoked", ({ revoke }) => revoke(), "TOOL_HELD"],
      ["is not in the document any more", ({ publish }) => publish(without(ORDER)), "TOOL_REMOVED"],
      [
        "is excluded",
        ({ params }) => world.call("updateToolSource", { params, body: { exclude: ["get_*"] } }),
        "TOOL_REMOVED",
      ],
      [
        "has a document at another URL",
        ({ params, server }) => world.call("updateToolSource", { params, body: { url: `${server.url}?other` } }),
        "TOOL_HELD",
      ],
      ["was removed with its source", ({ remove }) => remove(), "TOOL_HELD"],
      [
        "was revoked before the tool was archived",
        async ({ revoke, toolId }) => {
          await revoke();
          return world.call("archiveTool", { params: { id: toolId } });
        },
        "TOOL_HELD",
      ],
    ])("call no tool whose operation %s", async (_what, withdraw, code) => {
      const named = await startNamed();
      await withdraw(named);
      expect(await named.call()).toMatchObject({
        status: "failed",
        error: { code, outcome: "none", source: "gateway" },
      });
      expect(named.calls()).toEqual([]);
    });

    it("call no tool that was adopted after they were saved and used, and revoked after that", async () => {
      const named = await startNamed({ isAdopted: false });
      expect(await named.call()).toMatchObject({ status: "completed" });
      await named.adopt();
      expect(await named.call()).toMatchObject({ status: "completed" });
      await named.revoke();
      expect(await named.call()).toMatchObject(held);
      expect(named.calls()).toHaveLength(2);
    });

    it("call a tool again once its definition is accepted again, and no version of another definition", async () => {
      const named = await startNamed();
      await named.revoke();
      await world.accept(named.source.id, ["get_order"]);
      expect(await named.call()).toMatchObject({ status: "completed" });
      await named.revoke();
      await named.publish(describedAs("Reads one order."));
      await world.accept(named.source.id, ["get_order"]);
      expect(await named.call()).toMatchObject(held);
      await world.call("updateAgent", { params: { id: named.agent.id }, body: { tools: [{ tool: named.toolId }] } });
      expect(await named.call()).toMatchObject({ status: "completed" });
    });

    it("call the accepted definition while another one waits to be accepted, and after it was accepted", async () => {
      const named = await startNamed();
      await named.publish(describedAs("Reads one order."));
      expect(await named.call()).toMatchObject({ status: "completed" });
      await world.accept(named.source.id, ["get_order"]);
      expect(await named.call()).toMatchObject({ status: "completed" });
      await named.revoke();
      expect(await named.call()).toMatchObject(held);
    });

    it("call no version with the definition of a tool that was revoked, whatever else of the tool changed", async () => {
      const named = await startNamed();
      await named.revoke();
      const params = { id: named.toolId };
      expectStatus(await world.call("updateTool", { params, body: { capabilityKey: "orders" } }), 200);
      expectStatus(
        await world.call("updateAgent", { params: { id: named.agent.id }, body: { tools: [{ tool: named.toolId }] } }),
        200,
      );
      expect(await named.call()).toMatchObject(held);
    });

    it("call a tool with a definition of its own once its source is deleted", async () => {
      const named = await startNamed();
      await named.remove();
      const rest = { ...(await world.restOf(named.toolId)), description: "Mine." };
      const params = { id: named.toolId };
      expectStatus(await world.call("updateTool", { params, body: { definition: { rest } } }), 200);
      await world.advance(named.toolId);
      expect(await named.call()).toMatchObject(held);
      await world.call("updateAgent", { params: { id: named.agent.id }, body: { tools: [{ tool: named.toolId }] } });
      expect(await named.call()).toMatchObject({ status: "completed" });
    });

    it.each<[string, (named: Named) => Promise<unknown>]>([
      ["was revoked", ({ revoke }) => revoke()],
      ["was removed with its source", ({ remove }) => remove()],
    ])("wait for no approval of a tool whose operation %s", async (_what, withdraw) => {
      const policy = { approval: "always" };
      const [named, other] = [await startNamed({ policy }), await startNamed({ policy })];
      const [id, otherId] = [await named.ask(), await other.ask()];
      const params = { id: await approvalOf(id) };
      await withdraw(named);
      expect(await ended(id)).toMatchObject(held);
      const { body } = await world.call("getApproval", { params });
      expect(body).toMatchObject({ status: "expired", resolution: { at: expect.any(String) } });
      expect(named.calls()).toEqual([]);
      // No approval is requested for the next call either.
      const next = await named.ask();
      expect(await approvalOf(next)).toBe("");
      expect(await callOf(next)).toMatchObject(held);
      expectStatus(await world.call("approve", { params: { id: await approvalOf(otherId) } }), 200);
      expect(await ended(otherId)).toMatchObject({ status: "completed" });
    });

    it("call no tool that the document no longer contains, even if a person approves it", async () => {
      const named = await startNamed({ policy: { approval: "always" } });
      const id = await named.ask();
      await named.publish(without(ORDER));
      expectStatus(await world.call("approve", { params: { id: await approvalOf(id) } }), 200);
      expect(await ended(id)).toMatchObject({ error: { code: "TOOL_REMOVED", outcome: "none" } });
      expect(named.calls()).toEqual([]);
      await named.publish(SHOP);
      const again = await named.ask();
      expectStatus(await world.call("approve", { params: { id: await approvalOf(again) } }), 200);
      expect(await ended(again)).toMatchObject({ status: "completed" });
    });
  });
}
