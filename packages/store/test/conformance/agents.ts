import { agentSchema, type PageQuery } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/port.ts";
import { agentOf, NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

export function describeAgents(store: () => Store): void {
  describe("agents", () => {
    it("keeps every version, and finds the newest", async () => {
      const first = agentOf();
      const second = { ...first, version: 2, name: "Support 2" };
      await store().agents.create("ws_a", first);
      await store().agents.update("ws_a", second, 1);
      expect(await store().agents.find("ws_a", first.id)).toEqual({
        workspaceId: "ws_a",
        agent: second,
        archivedAt: null,
      });
      expect(await store().agents.findVersion(first.id, 1)).toMatchObject({ agent: first });
      expect(await store().agents.findVersion(first.id, 3)).toBeUndefined();
    });

    it("lets one of two changes of the same version through", async () => {
      const agent = agentOf();
      await store().agents.create("ws_a", agent);
      const changes = await Promise.allSettled([
        store().agents.update("ws_a", { ...agent, version: 2, name: "one" }, 1),
        store().agents.update("ws_a", { ...agent, version: 2, name: "two" }, 1),
      ]);
      expect(changes).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "CONFLICT" } }]);
      expect(await store().agents.find("ws_a", agent.id)).toMatchObject({ agent: { version: 2, name: "one" } });
    });

    it("refuses to change or archive what is not there, is another's or is archived", async () => {
      const agent = agentOf();
      const next = { ...agent, version: 2 };
      await store().agents.create("ws_a", agent);
      const refused = { code: "NOT_FOUND" };
      await expect(store().agents.update("ws_b", next, 1)).rejects.toMatchObject(refused);
      await expect(store().agents.update("ws_a", agentOf({ version: 2 }), 1)).rejects.toMatchObject(refused);
      await expect(store().agents.archive("ws_b", agent.id, NOW)).rejects.toMatchObject(refused);
      await store().agents.archive("ws_a", agent.id, NOW);
      await expect(store().agents.update("ws_a", next, 1)).rejects.toMatchObject(refused);
      await expect(store().agents.archive("ws_a", agent.id, NOW)).rejects.toMatchObject(refused);
    });

    it("keeps an archived agent for its executions, out of the list", async () => {
      const agent = agentOf();
      await store().agents.create("ws_a", agent);
      await store().agents.archive("ws_a", agent.id, NOW);
      expect(await store().agents.find("ws_a", agent.id)).toMatchObject({ archivedAt: NOW });
      expect(await store().agents.findVersion(agent.id, 1)).toMatchObject({ agent });
      expect(await store().agents.list("ws_a", { limit: 10 })).toEqual({ data: [], nextCursor: null });
    });

    it("lists one workspace's agents newest first, page by page", async () => {
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        const agent = agentOf();
        ids.push(agent.id);
        await store().agents.create("ws_a", agent);
        await store().agents.create("ws_b", agentOf());
      }
      const listed = async (page: PageQuery) => {
        const { data, nextCursor } = await store().agents.list("ws_a", page);
        return { data: data.map((text) => agentSchema.parse(JSON.parse(text))), nextCursor };
      };
      await expectPages(listed, 2, ids.reverse());
    });

    it("lists versions newest first, page by page, to their own workspace", async () => {
      const agent = agentOf();
      await store().agents.create("ws_a", agent);
      for (let version = 2; version <= 5; version += 1) {
        await store().agents.update("ws_a", { ...agent, version }, version - 1);
      }
      const first = await store().agents.versions("ws_a", agent.id, { limit: 3 });
      expect(first.data.map(({ version }) => version)).toEqual([5, 4, 3]);
      const second = await store().agents.versions("ws_a", agent.id, { limit: 3, cursor: first.nextCursor ?? "" });
      expect(second).toMatchObject({ data: [{ version: 2 }, { version: 1 }], nextCursor: null });
      expect(await store().agents.versions("ws_b", agent.id, { limit: 3 })).toEqual({ data: [], nextCursor: null });
      const foreign = store().agents.versions("ws_a", agent.id, { limit: 3, cursor: "eA" });
      await expect(foreign).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    });

    it("lists the exposed agents by tool name, until they are archived or no longer exposed", async () => {
      const desk = agentOf({ name: "Desk", description: "Answers.", exposed: true });
      const refunds = agentOf({ name: "Refunds 2", exposed: true });
      const { agents, exposedAgents } = store();
      for (const agent of [refunds, desk, agentOf({ name: "Hidden" })]) await agents.create("ws_a", agent);
      const listed = { agentId: desk.id, toolName: "desk", title: "Desk", description: "Answers." };
      expect(await exposedAgents.find("ws_a", "desk")).toEqual(listed);
      expect(await exposedAgents.find("ws_b", "desk")).toBeUndefined();
      const { data, nextCursor } = await exposedAgents.list("ws_a", { limit: 1 });
      expect(data).toEqual([listed]);
      const rest = await exposedAgents.list("ws_a", { limit: 1, cursor: nextCursor ?? "none" });
      expect(rest).toMatchObject({ data: [{ agentId: refunds.id, toolName: "refunds_2" }], nextCursor: null });
      await agents.update("ws_a", { ...refunds, version: 2, exposed: false }, 1);
      await agents.archive("ws_a", desk.id, NOW);
      expect(await exposedAgents.list("ws_a", { limit: 10 })).toEqual({ data: [], nextCursor: null });
    });

    it("exposes one agent under a tool name, and the next one after it", async () => {
      const first = agentOf({ name: "Desk", exposed: true });
      const second = agentOf({ name: "desk!", exposed: true });
      const { agents, exposedAgents } = store();
      await agents.create("ws_a", first);
      await agents.create("ws_b", agentOf({ name: "Desk", exposed: true }));
      await expect(agents.create("ws_a", second)).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await agents.find("ws_a", second.id)).toBeUndefined();
      await agents.update("ws_a", { ...first, version: 2, name: "Office" }, 1);
      await agents.create("ws_a", second);
      expect(await exposedAgents.find("ws_a", "desk")).toMatchObject({ agentId: second.id });
      expect(await exposedAgents.find("ws_a", "office")).toMatchObject({ agentId: first.id });
    });
  });
}
