import { newId } from "@yagate/lib/ids/ids";
import type { StoredWorkspaceTool, Toolkit } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/port.ts";
import type { ToolkitRow } from "../../src/tables/toolkits.ts";
import type { ToolTestRecord } from "../../src/tables/tools.ts";
import { AT, NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

export function toolOf(name: string, change: Partial<StoredWorkspaceTool> = {}): StoredWorkspaceTool {
  const definition = {
    rest: {
      name,
      description: "Reads an order.",
      method: "GET" as const,
      url: "https://shop.example/o",
      parameters: [],
    },
  };
  return {
    id: newId("tool"),
    version: 1,
    ...{ name, kind: "rest", capabilityKey: null, definition, status: "configured", toolkitId: null, slots: 1 },
    ...{ warnings: [], lastTest: null, createdAt: AT, updatedAt: AT },
    ...change,
  };
}

function toolkitOf(workspaceId: string, change: Partial<ToolkitRow> = {}): ToolkitRow {
  const common = { name: "Shop", provider: "Shop Ltd", credential: null, createdAt: NOW, updatedAt: NOW };
  return { id: newId("toolkit"), workspaceId, ...common, ...change };
}

function testOf(ok: boolean): ToolTestRecord {
  return {
    lastTest: { at: AT, ok, httpStatus: ok ? 200 : 500, durationMs: 12, preview: { total: 3 } },
    parameters: { id: "ORD-7" },
    response: { total: 3, lines: [1, 2, 3] },
    error: ok ? null : { code: "HANDLER_ERROR", message: "it answered 500" },
  };
}

export function describeTools(store: () => Store): void {
  describe("workspace tools", () => {
    it("keep every version, and are found by id, name and version", async () => {
      const tool = toolOf("get_order");
      const next = toolOf("read_order", { id: tool.id, version: 2 });
      await store().tools.create("ws_a", [tool]);
      await store().tools.update("ws_a", next, 1);
      const row = { workspaceId: "ws_a", tool: next, archivedAt: null };
      expect(await store().tools.find("ws_a", tool.id)).toEqual(row);
      expect(await store().tools.find("ws_b", tool.id)).toBeUndefined();
      expect(await store().tools.findByName("ws_a", "read_order")).toEqual(row);
      expect(await store().tools.findByName("ws_a", "get_order")).toBeUndefined();
      expect(await store().tools.findByName("ws_b", "read_order")).toBeUndefined();
      expect(await store().tools.findVersion(tool.id, 1)).toEqual({ ...row, tool });
      expect(await store().tools.findVersion(tool.id, 3)).toBeUndefined();
      const { data } = await store().tools.versions("ws_a", tool.id, { limit: 5 });
      expect(data.map(({ version, name }) => [version, name])).toEqual([
        [2, "read_order"],
        [1, "get_order"],
      ]);
      expect((await store().tools.versions("ws_b", tool.id, { limit: 5 })).data).toEqual([]);
    });

    it("have warnings in one shape, also those that an older gateway has written", async () => {
      const older = [{ level: "critical", text: "Deprecated." }] as unknown as StoredWorkspaceTool["warnings"];
      const tool = toolOf("warned", { warnings: older });
      await store().tools.create("ws_older", [tool]);
      const warning = { code: "AUTHOR_NOTE", severity: "critical", path: "definition", message: "Deprecated." };
      const warnings = [{ ...warning, level: "critical", text: "Deprecated." }];
      expect((await store().tools.find("ws_older", tool.id))?.tool).toEqual({ ...tool, warnings });
      expect((await store().tools.list("ws_older", { limit: 5 })).data).toEqual([{ ...tool, warnings }]);
    });

    it("are at most as many in a workspace as may be, archived ones not counted", async () => {
      const many = Array.from({ length: 20 }, (_, index) => toolOf(`tool_${index}`));
      await store().tools.create("ws_full", many, undefined, undefined, 20);
      const toolkit = toolkitOf("ws_full");
      const full = { code: "QUOTA_EXCEEDED", quota: "tools", limit: 20, used: 20 };
      await expect(store().tools.create("ws_full", [toolOf("more")], toolkit, undefined, 20)).rejects.toMatchObject(
        full,
      );
      expect(await store().tools.findByName("ws_full", "more")).toBeUndefined();
      expect(await store().toolkits.find("ws_full", toolkit.id)).toBeUndefined();
      await store().tools.archive("ws_full", many[0]?.id ?? "", NOW);
      await store().tools.create("ws_full", [toolOf("more")], undefined, undefined, 20);
      await store().tools.create("ws_b", [toolOf("elsewhere")], undefined, undefined, 20);
    });

    it("let one of many changes of the same version through", async () => {
      const tool = toolOf("get_order");
      await store().tools.create("ws_a", [tool]);
      const changes = await Promise.allSettled(
        [2, 3, 4, 5].map((slots) => store().tools.update("ws_a", { ...tool, version: 2, slots }, 1)),
      );
      const refused = changes.filter(({ status }) => status === "rejected");
      expect(refused).toHaveLength(3);
      expect(refused).toMatchObject(refused.map(() => ({ reason: { code: "CONFLICT" } })));
      expect((await store().tools.versions("ws_a", tool.id, { limit: 5 })).data).toHaveLength(2);
    });

    it("have names that are theirs alone in a workspace, until they are archived", async () => {
      const tool = toolOf("get_order");
      const other = toolOf("other");
      await store().tools.create("ws_a", [tool, other]);
      await store().tools.create("ws_b", [toolOf("get_order")]);
      const taken = { code: "CONFLICT", message: expect.stringContaining("get_order") };
      await expect(store().tools.create("ws_a", [toolOf("get_order")])).rejects.toMatchObject(taken);
      const renamed = { ...other, version: 2, name: "get_order" };
      await expect(store().tools.update("ws_a", renamed, 1)).rejects.toMatchObject(taken);
      await store().tools.archive("ws_a", tool.id, NOW);
      await store().tools.update("ws_a", renamed, 1);
      expect(await store().tools.findByName("ws_a", "get_order")).toMatchObject({ tool: { id: other.id } });
    });

    it("are made together with their toolkit, or not at all", async () => {
      await store().tools.create("ws_a", [toolOf("taken")]);
      const toolkit = toolkitOf("ws_a");
      const inIt = { toolkitId: toolkit.id };
      const made = store().tools.create("ws_a", [toolOf("free", inIt), toolOf("taken", inIt)], toolkit);
      await expect(made).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringMatching(/: taken$/) });
      expect(await store().toolkits.find("ws_a", toolkit.id)).toBeUndefined();
      expect(await store().tools.findByName("ws_a", "free")).toBeUndefined();
      const nowhere = store().tools.create("ws_a", [toolOf("free", inIt)]);
      await expect(nowhere).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await store().tools.findByName("ws_a", "free")).toBeUndefined();
    });

    it("move on within a version, and keep the test that did it apart from its preview", async () => {
      const tool = toolOf("get_order");
      await store().tools.create("ws_a", [tool]);
      expect(await store().tools.findTest("ws_a", tool.id)).toBeUndefined();
      const at = { toolId: tool.id, version: 1 } as const;
      const test = testOf(true);
      await store().tools.advance("ws_a", { ...at, from: "configured", to: "tested", test });
      await store().tools.advance("ws_a", { ...at, from: "tested", to: "validated" });
      const { lastTest, ...rest } = test;
      const { preview: _preview, ...outcome } = lastTest;
      expect(await store().tools.find("ws_a", tool.id)).toMatchObject({ tool: { status: "validated", lastTest } });
      expect(await store().tools.findTest("ws_a", tool.id)).toEqual({ ...at, ...rest, ...outcome });
      expect(await store().tools.findTest("ws_b", tool.id)).toBeUndefined();
      await store().tools.update("ws_a", { ...tool, version: 2 }, 1);
      expect(await store().tools.find("ws_a", tool.id)).toMatchObject({
        tool: { status: "configured", lastTest: null },
      });
      expect(await store().tools.findVersion(tool.id, 1)).toMatchObject({ tool: { status: "validated", lastTest } });
      await store().tools.advance("ws_a", {
        ...at,
        version: 2,
        from: "configured",
        to: "configured",
        test: testOf(false),
      });
      expect(await store().tools.findTest("ws_a", tool.id)).toMatchObject({ version: 2, ok: false, httpStatus: 500 });
    });

    it("do not move on from what their mover did not see", async () => {
      const tool = toolOf("get_order");
      await store().tools.create("ws_a", [tool]);
      const step = { toolId: tool.id, version: 1, from: "configured", to: "tested" } as const;
      const steps = await Promise.allSettled([
        store().tools.advance("ws_a", step),
        store().tools.advance("ws_a", { ...step, to: "draft" }),
      ]);
      expect(steps).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "CONFLICT" } }]);
      const stale = store().tools.advance("ws_a", { ...step, version: 2 });
      await expect(stale).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(store().tools.advance("ws_b", step)).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("are archived by their own workspace only, out of the lists, and keep their versions", async () => {
      const tool = toolOf("get_order");
      await store().tools.create("ws_a", [tool]);
      const refused = { code: "NOT_FOUND" };
      await expect(store().tools.update("ws_b", { ...tool, version: 2 }, 1)).rejects.toMatchObject(refused);
      await expect(store().tools.archive("ws_b", tool.id, NOW)).rejects.toMatchObject(refused);
      await store().tools.archive("ws_a", tool.id, NOW);
      await expect(store().tools.archive("ws_a", tool.id, NOW)).rejects.toMatchObject(refused);
      await expect(store().tools.update("ws_a", { ...tool, version: 2 }, 1)).rejects.toMatchObject(refused);
      expect((await store().tools.list("ws_a", { limit: 5 })).data).toEqual([]);
      expect(await store().tools.find("ws_a", tool.id)).toMatchObject({ archivedAt: NOW });
      expect(await store().tools.findVersion(tool.id, 1)).toMatchObject({ tool });
    });

    it("are listed newest first, page by page, all or those of a status, a kind or a toolkit", async () => {
      const toolkit = toolkitOf("ws_a");
      await store().toolkits.create(toolkit);
      const kinds = ["rest", "composed", "rest", "handler", "rest"] as const;
      const tools = kinds.map((kind, index) =>
        toolOf(`tool_${index}`, {
          kind,
          status: index < 2 ? "draft" : "created",
          toolkitId: index % 2 === 0 ? toolkit.id : null,
        }),
      );
      await store().tools.create("ws_a", tools);
      await store().tools.create("ws_b", [toolOf("other")]);
      const ids = tools.map(({ id }) => id);
      const pick = (...indexes: readonly number[]) => indexes.map((index) => ids[index] ?? "");
      const { list } = store().tools;
      await expectPages((page) => list("ws_a", page), 2, pick(4, 3, 2, 1, 0));
      await expectPages((page) => list("ws_a", { ...page, kind: "rest" }), 2, pick(4, 2, 0));
      await expectPages((page) => list("ws_a", { ...page, status: "created" }), 2, pick(4, 3, 2));
      await expectPages((page) => list("ws_a", { ...page, name: "tool_3" }), 2, pick(3));
      await expectPages((page) => list("ws_a", { ...page, toolkitId: toolkit.id, status: "draft" }), 2, pick(0));
    });
  });

  describe("toolkits", () => {
    it("are changed and found by their own workspace, with their tools", async () => {
      const toolkit = toolkitOf("ws_a");
      const tool = toolOf("get_order", { toolkitId: toolkit.id });
      const gone = toolOf("gone", { toolkitId: toolkit.id });
      await store().tools.create("ws_a", [tool, gone], toolkit);
      await store().tools.archive("ws_a", gone.id, NOW);
      const changed = { ...toolkit, name: "Store", credential: "KEY", updatedAt: NOW + 1 };
      await expect(store().toolkits.update({ ...changed, workspaceId: "ws_b" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await store().toolkits.update(changed);
      const { id, name, kind, status } = tool;
      expect(await store().toolkits.find("ws_a", toolkit.id)).toEqual({
        ...{ id: toolkit.id, name: "Store", provider: "Shop Ltd", credential: "KEY" },
        tools: [{ id, name, kind, status }],
        ...{ createdAt: AT, updatedAt: new Date(NOW + 1).toISOString() },
      } satisfies Toolkit);
      expect(await store().toolkits.find("ws_b", toolkit.id)).toBeUndefined();
    });

    it("are listed newest first, page by page", async () => {
      const toolkits = ["a", "b", "c"].map((name) => toolkitOf("ws_a", { name }));
      for (const toolkit of toolkits) {
        const names = ["one", "two"].map((name) => toolOf(`${toolkit.name}_${name}`, { toolkitId: toolkit.id }));
        await store().tools.create("ws_a", names, toolkit);
      }
      await store().toolkits.create(toolkitOf("ws_b"));
      await expectPages((page) => store().toolkits.list("ws_a", page), 2, toolkits.map(({ id }) => id).reverse());
      const { data } = await store().toolkits.list("ws_a", { limit: 2 });
      expect(data.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
        ["c_one", "c_two"],
        ["b_one", "b_two"],
      ]);
    });

    it("make their validated tools usable, and no others", async () => {
      const toolkit = toolkitOf("ws_a");
      const statuses = ["tested", "validated", "created", "validated"] as const;
      const tools = statuses.map((status, index) => toolOf(`tool_${index}`, { status, toolkitId: toolkit.id }));
      await store().tools.create("ws_a", tools, toolkit);
      await expect(store().toolkits.finalize("ws_b", toolkit.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
      const finalized = [tools[1]?.id, tools[3]?.id];
      expect(await store().toolkits.finalize("ws_a", toolkit.id)).toEqual(finalized);
      const { data } = await store().tools.list("ws_a", { limit: 9 });
      expect(data.map(({ status }) => status).reverse()).toEqual(["tested", "created", "created", "created"]);
      expect(await store().toolkits.finalize("ws_a", toolkit.id)).toEqual([]);
    });

    it.each([
      ["keep their tools when they are deleted", null, ["live", "draft"]],
      ["archive unfinished tools with them on request", NOW, ["live"]],
    ])("%s", async (_name, archiveAt, left) => {
      const toolkit = toolkitOf("ws_a");
      const inIt = { toolkitId: toolkit.id };
      const tools = [toolOf("draft", { ...inIt, status: "draft" }), toolOf("live", { ...inIt, status: "created" })];
      await store().tools.create("ws_a", tools, toolkit);
      const refused = { code: "NOT_FOUND" };
      await expect(store().toolkits.delete("ws_b", toolkit.id, archiveAt)).rejects.toMatchObject(refused);
      await store().toolkits.delete("ws_a", toolkit.id, archiveAt);
      await expect(store().toolkits.delete("ws_a", toolkit.id, archiveAt)).rejects.toMatchObject(refused);
      const { data } = await store().tools.list("ws_a", { limit: 9 });
      expect(data.map(({ name, toolkitId }) => [name, toolkitId])).toEqual(left.map((name) => [name, null]));
    });
  });
}
