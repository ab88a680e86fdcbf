import { type Agent, type AuditEntry, YagateError } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { AuditRow, SourceToolRow, Store, ToolSourceChange, ToolSourceRow } from "../../src/port.ts";
import { agentOf, appendOf, executionOf, NOW, summaryOf } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

export const toolSourceOf = (id: string, rest: Partial<ToolSourceRow> = {}): ToolSourceRow => ({
  ...{ id, workspaceId: "ws_a", name: id.replace("src_", ""), kind: "handler", revision: 1 },
  settings: {
    kind: "handler",
    ...{ url: "https://orders.example.com/tools", signingSecret: "default", include: null, exclude: [] },
    ...{ defaults: {}, overrides: {}, onChange: "hold", syncIntervalSeconds: 900 },
  },
  ...{ status: "ready", statusAt: NOW, reason: null, generation: 0, createdAt: NOW, updatedAt: NOW },
  skippedTools: [],
  ...{ nextSyncAt: NOW + 900_000, syncFailures: 0, syncedAt: null, reads: 0, storedRead: 0 },
  ...rest,
});

const version = (text: string) => ({ hash: `sha256:${text}`, content: JSON.stringify({ text }) });
const tool = (name: string, published: string | null, accepted: string | null): SourceToolRow => ({
  name,
  published: published === null ? null : version(published),
  accepted: accepted === null ? null : version(accepted),
});

const auditRow = (id: string): AuditRow => ({
  ...{ id, workspaceId: "ws_a", at: NOW, action: "tool_source.accepted", resourceType: "tool_source" },
  ...{ resourceId: "src_orders", keyId: null, entry: JSON.stringify({ id } satisfies Pick<AuditEntry, "id">) },
});

const now = { at: NOW, isForced: false };

export function describeToolSources(store: () => Store): void {
  const sources = () => store().toolSources;
  const change = (tools: readonly SourceToolRow[], rest: Partial<ToolSourceChange> = {}, maxTools = 99) =>
    sources().change("ws_a", "src_orders", () => ({ at: NOW + 1, tools, ...rest }), maxTools);

  describe("tool sources", () => {
    it("are found as they were made, by their own workspace, until they are deleted", async () => {
      const made = toolSourceOf("src_orders", { reason: { code: "SOURCE_UNREACHABLE", message: "no" } });
      await sources().create(made, 9);
      expect(await sources().find("ws_a", "src_orders")).toEqual(made);
      expect(await sources().findByName("ws_a", "orders")).toEqual(made);
      expect(await sources().find("ws_b", "src_orders")).toBeUndefined();
      await expect(sources().delete("ws_b", "src_orders", now)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await sources().delete("ws_a", "src_orders", now);
      expect(await sources().find("ws_a", "src_orders")).toBeUndefined();
      await expect(sources().delete("ws_a", "src_orders", now)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(change([])).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("have a name once in a workspace, and are as many as they may be", async () => {
      await sources().create(toolSourceOf("src_orders"), 2);
      await sources().create(toolSourceOf("src_b", { workspaceId: "ws_b", name: "orders" }), 2);
      const again = sources().create(toolSourceOf("src_2", { name: "orders" }), 2);
      await expect(again).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("exists") });
      await sources().create(toolSourceOf("src_other"), 2);
      const third = sources().create(toolSourceOf("src_third"), 2);
      await expect(third).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("at most 2") });
      await sources().delete("ws_a", "src_orders", now);
      await sources().create(toolSourceOf("src_3", { name: "orders" }), 2);
      expect(await sources().findByName("ws_a", "orders")).toMatchObject({ id: "src_3" });
    });

    it("have a document, whose upload and summary change separately, until they are deleted", async () => {
      await sources().create(toolSourceOf("src_orders"), 9);
      expect(await sources().document("src_orders")).toBeUndefined();
      expect(await sources().documentSummary("src_orders")).toBeNull();
      await change([], { document: { summary: "1" } });
      expect(await sources().document("src_orders")).toEqual({ upload: null, summary: "1" });
      await change([], { document: { upload: "text" } });
      await change([]);
      await change([], { document: { summary: "2" } });
      expect(await sources().document("src_orders")).toEqual({ upload: "text", summary: "2" });
      expect(await sources().documentSummary("src_orders")).toBe("2");
      await change([], { document: { upload: null } });
      expect(await sources().document("src_orders")).toEqual({ upload: null, summary: "2" });
      await sources().create(toolSourceOf("src_b"), 9, undefined, "uploaded");
      expect(await sources().document("src_b")).toEqual({ upload: "uploaded", summary: null });
      await sources().delete("ws_a", "src_b", now);
      expect(await sources().document("src_b")).toBeUndefined();
    });

    it("are listed newest first", async () => {
      for (const id of ["src_1", "src_2", "src_3"]) await sources().create(toolSourceOf(id), 9);
      await sources().create(toolSourceOf("src_9", { workspaceId: "ws_b" }), 9);
      await expectPages((page) => sources().list("ws_a", page), 2, ["src_3", "src_2", "src_1"]);
    });

    it("keep tools with their published and accepted definitions, and count them", async () => {
      await sources().create(toolSourceOf("src_orders"), 9);
      const tools = [tool("a", "1", "1"), tool("b", "2", "1"), tool("c", "1", null), tool("d", null, "1")];
      const changed = await change(tools, { status: { status: "changed", reason: null } });
      expect(changed).toMatchObject({
        status: "changed",
        statusAt: NOW + 1,
        generation: 1,
        revision: 1,
        updatedAt: NOW,
      });
      expect(await sources().find("ws_a", "src_orders")).toEqual(changed);
      expect(await sources().tools("src_orders")).toEqual(tools);
      const counts = await sources().counts(["src_orders", "src_none"]);
      expect(counts.get("src_orders")).toEqual({ published: 3, accepted: 1, removed: 1 });
      expect(counts.get("src_none")).toEqual({ published: 0, accepted: 0, removed: 0 });
      await change([tool("a", "2", "2"), tool("c", null, null)]);
      expect(await sources().tools("src_orders")).toEqual([tool("a", "2", "2"), ...tools.slice(1, 2), tools[3]]);
    });

    it("keep as many tools as a source may have, and change all of them at once", async () => {
      await sources().create(toolSourceOf("src_orders"), 9);
      const many = (text: string, accepted: string | null) =>
        Array.from({ length: 211 }, (_, index) => tool(`t${1_000 + index}`, text, accepted));
      await change(many("1", "1"), {}, 999);
      expect(await sources().tools("src_orders")).toEqual(many("1", "1"));
      const pins = many("1", "1").map(({ name }) => ({ source: "src_orders", tool: name, hash: version("1").hash }));
      expect(await sources().findDefinitions(pins)).toEqual(pins.map(() => version("1")));
      await change(many("2", "1"), {}, 999);
      expect(await sources().tools("src_orders")).toEqual(many("2", "1"));
      await change(many("2", null), { withdrawn: many("2", null).map(({ name }) => name) }, 999);
      expect(await Promise.all(pins.map((pin) => sources().standingOf(pin)))).toEqual(pins.map(() => "withdrawn"));
      const gone = many("2", null).map(({ name }) => tool(name, null, null));
      await change([...gone, tool("last", "1", null)], {}, 999);
      expect(await sources().tools("src_orders")).toEqual([tool("last", "1", null)]);
    });

    it("count their revision with the settings, and leave the generation", async () => {
      const made = toolSourceOf("src_orders");
      await sources().create(made, 9);
      const settings = { ...made.settings, onChange: "additive" } as const;
      expect(await change([], { settings })).toEqual({ ...made, settings, revision: 2, updatedAt: NOW + 1 });
    });

    it("are due in one process at a time, in the order of their times", async () => {
      const due = async (now: number, limit = 9) =>
        (await sources().claimDue({ now, until: now + 60_000, limit })).map(({ id, reads }) => `${id} ${reads}`);
      await sources().create(toolSourceOf("src_orders", { nextSyncAt: NOW + 2 }), 9);
      await sources().create(toolSourceOf("src_other", { workspaceId: "ws_b", nextSyncAt: NOW + 1 }), 9);
      await sources().create(toolSourceOf("src_uploaded", { nextSyncAt: null }), 9);
      await sources().create(toolSourceOf("src_gone", { nextSyncAt: NOW }), 9);
      await sources().delete("ws_a", "src_gone", now);
      expect(await due(NOW)).toEqual([]);
      expect(await due(NOW + 2, 1)).toEqual(["src_other 1"]);
      const both = await Promise.all([due(NOW + 2), due(NOW + 2)]);
      expect(both.flat()).toEqual(["src_orders 1"]);
      expect(await sources().find("ws_a", "src_orders")).toMatchObject({ nextSyncAt: NOW + 60_002, storedRead: 0 });
      // The process that claimed it ended.
      expect(await due(NOW + 60_002)).toEqual(["src_orders 2", "src_other 2"]);
      const sync = { storedRead: 2, syncFailures: 0, syncedAt: NOW + 60_003, nextSyncAt: NOW + 99_999 };
      expect(await change([], { sync })).toMatchObject({ ...sync, reads: 2 });
      expect(await sources().find("ws_a", "src_orders")).toMatchObject({ ...sync, reads: 2 });
    });

    it("are read on request, whenever they are due", async () => {
      const lease = { now: NOW, until: NOW + 60_000 };
      await sources().create(toolSourceOf("src_orders"), 9);
      await sources().create(toolSourceOf("src_uploaded", { nextSyncAt: null }), 9);
      const begun = await sources().beginRead("ws_a", "src_orders", lease);
      expect(begun).toMatchObject({ id: "src_orders", reads: 1, nextSyncAt: NOW + 60_000 });
      expect(await sources().beginRead("ws_a", "src_uploaded", lease)).toMatchObject({ reads: 1, nextSyncAt: null });
      expect(await sources().beginRead("ws_b", "src_orders", lease)).toBeUndefined();
      await sources().delete("ws_a", "src_orders", now);
      expect(await sources().beginRead("ws_a", "src_orders", lease)).toBeUndefined();
    });

    it("become due when their handler does not know a tool, at most once in a while", async () => {
      const nextSyncAt = async (id = "src_orders") => (await sources().find("ws_a", id))?.nextSyncAt;
      const request = (at: number, id = "src_orders") => sources().requestSync(id, { now: at, spacingMs: 60_000 });
      await sources().create(toolSourceOf("src_orders"), 9);
      await sources().create(toolSourceOf("src_uploaded", { nextSyncAt: null }), 9);
      await request(NOW);
      expect(await nextSyncAt()).toBe(NOW);
      await sources().beginRead("ws_a", "src_orders", { now: NOW, until: NOW + 60_000 });
      await change([], { sync: { storedRead: 1, syncFailures: 0, syncedAt: NOW, nextSyncAt: NOW + 900_000 } });
      await request(NOW + 1);
      expect(await nextSyncAt()).toBe(NOW + 60_000);
      await request(NOW + 70_000);
      expect(await nextSyncAt()).toBe(NOW + 60_000);
      await request(NOW, "src_uploaded");
      expect(await nextSyncAt("src_uploaded")).toBeNull();
    });

    it("are counted by status, with their held tools and the oldest sync", async () => {
      expect(await sources().totals()).toEqual({ byStatus: new Map(), held: 0, oldestSyncAt: null });
      await sources().create(toolSourceOf("src_orders", { createdAt: NOW - 5 }), 9);
      await sources().create(
        toolSourceOf("src_b", { workspaceId: "ws_b", status: "unreachable", syncedAt: NOW - 9 }),
        9,
      );
      await sources().create(toolSourceOf("src_uploaded", { nextSyncAt: null, createdAt: NOW - 99 }), 9);
      await change([tool("a", "2", "1"), tool("b", "1", null), tool("c", "1", "1"), tool("d", null, "1")]);
      const byStatus = new Map([
        ["ready", 2],
        ["unreachable", 1],
      ]);
      expect(await sources().totals()).toEqual({ byStatus, held: 2, oldestSyncAt: NOW - 9 });
      await change([tool("a", "2", "2"), tool("b", null, null)]);
      expect(await sources().totals()).toMatchObject({ held: 0 });
      await sources().delete("ws_b", "src_b", now);
      expect(await sources().totals()).toMatchObject({ oldestSyncAt: NOW - 5 });
    });

    it("change with their audit log entries, or not at all", async () => {
      await sources().create(toolSourceOf("src_orders"), 9);
      await change([tool("a", "1", null)], { audit: [undefined, auditRow("aud_1")] });
      const refused = sources().change(
        "ws_a",
        "src_orders",
        (source, tools) => {
          expect([source.generation, tools]).toEqual([1, [tool("a", "1", null)]]);
          throw new YagateError("CONFLICT", "no");
        },
        9,
      );
      await expect(refused).rejects.toMatchObject({ code: "CONFLICT" });
      const tooMany = change([tool("b", "1", null), tool("c", "1", null)], { audit: [auditRow("aud_2")] }, 2);
      await expect(tooMany).rejects.toMatchObject({ code: "TOO_MANY_TOOLS" });
      expect(await sources().tools("src_orders")).toEqual([tool("a", "1", null)]);
      const { data } = await store().audit.list({ workspaceId: "ws_a" }, { limit: 9 });
      expect(data.map(({ id }) => id)).toEqual(["aud_1"]);
    });

    it("count the tools of all sources of a workspace, without deleted ones", async () => {
      await sources().create(toolSourceOf("src_orders"), 9);
      await sources().create(toolSourceOf("src_2"), 9);
      await change([tool("a", "1", null), tool("b", "1", null)], {}, 2);
      const second = () => sources().change("ws_a", "src_2", () => ({ at: NOW, tools: [tool("a", "1", null)] }), 2);
      await expect(second()).rejects.toMatchObject({ code: "TOO_MANY_TOOLS" });
      await sources().delete("ws_a", "src_orders", now);
      await second();
    });

    it("keep accepted definitions for executions, and say whether they may still run", async () => {
      await sources().create(toolSourceOf("src_orders"), 9);
      const pin = (name: string, text: string) => ({ source: "src_orders", tool: name, hash: version(text).hash });
      await change([tool("a", "1", "1"), tool("b", "1", null)]);
      await change([tool("a", "2", "2"), tool("b", "2", null)]);
      const pins = [pin("a", "2"), pin("b", "2"), pin("a", "1"), pin("c", "1")];
      expect(await sources().findDefinitions(pins)).toEqual([version("2"), undefined, version("1"), undefined]);
      const standings = () => Promise.all(pins.map((one) => sources().standingOf(one)));
      expect(await standings()).toEqual(["current", "current", "current", "withdrawn"]);
      await change([tool("a", null, "2")]);
      expect(await standings()).toEqual(["removed", "current", "removed", "withdrawn"]);
      await change([tool("a", "2", null)], { withdrawn: ["a"] });
      expect(await standings()).toEqual(["withdrawn", "current", "withdrawn", "withdrawn"]);
      await change([tool("a", "2", "2")]);
      expect(await standings()).toEqual(["current", "current", "withdrawn", "withdrawn"]);
      expect(await sources().findDefinitions(pins.slice(0, 1))).toEqual([version("2")]);
      await sources().delete("ws_a", "src_orders", now);
      expect(await standings()).toEqual(["withdrawn", "withdrawn", "withdrawn", "withdrawn"]);
      expect(await sources().findDefinitions(pins.slice(0, 1))).toEqual([version("2")]);
    });

    it("keep superseded definitions while an execution that is older is unfinished, and no longer", async () => {
      const MINUTE_MS = 60_000;
      const pin = (text: string) => ({ source: "src_orders", tool: "a", hash: version(text).hash });
      const kept = async () => {
        const found = await sources().findDefinitions([pin("1"), pin("2"), pin("3")]);
        return found.flatMap((definition) => (definition === undefined ? [] : [definition.hash.slice(7)]));
      };
      const at = (time: number, tools: readonly SourceToolRow[]) => change(tools, { at: time });
      await sources().create(toolSourceOf("src_orders"), 9);
      await at(NOW, [tool("a", "1", "1")]);
      const { execution } = await store().eventStore.create(executionOf("ws_a", { createdAt: NOW + MINUTE_MS }));
      await store().eventStore.create(executionOf("ws_b", { createdAt: NOW }));
      await at(NOW + 1, [tool("a", "2", "2")]);
      await at(NOW + 2, [tool("a", "3", "3")]);
      expect(await sources().deleteSuperseded(NOW + MINUTE_MS, 9)).toBe(0);
      // The execution is so young that its clock would have to be wrong.
      expect(await sources().deleteSuperseded(NOW + 9 * MINUTE_MS, 9)).toBe(0);
      await at(NOW + 3, [tool("a", "2", "2")]);
      const ended = { ...summaryOf("completed"), finishedAt: NOW + 5 };
      await appendTo(store().eventStore, { ...appendOf(execution.id, 0), summary: ended });
      expect(await sources().deleteSuperseded(NOW + 9 * MINUTE_MS, 1)).toBe(1);
      expect(await kept()).toEqual(["2", "3"]);
      expect(await sources().deleteSuperseded(NOW + 9 * MINUTE_MS, 9)).toBe(1);
      expect(await kept()).toEqual(["2"]);
      await sources().delete("ws_a", "src_orders", { at: NOW + 4, isForced: false });
      expect(await sources().tools("src_orders")).toEqual([]);
      expect(await sources().deleteSuperseded(NOW + 9 * MINUTE_MS, 9)).toBe(1);
      expect(await kept()).toEqual([]);
      expect(await sources().standingOf(pin("2"))).toBe("withdrawn");
    });

    it("are listed after a withdrawal until it is settled", async () => {
      const listed = async () => (await sources().listWithdrawals()).map(({ id, withdrawnAt }) => [id, withdrawnAt]);
      await sources().create(toolSourceOf("src_orders"), 9);
      await change([tool("a", "1", "1")]);
      expect(await listed()).toEqual([]);
      await change([tool("a", "1", null)], { withdrawn: ["a"] });
      const [first] = await sources().listWithdrawals();
      expect(first).toEqual({ id: "src_orders", workspaceId: "ws_a", name: "orders", withdrawnAt: NOW + 1 });
      await sources().delete("ws_a", "src_orders", { at: NOW + 2, isForced: false });
      if (first !== undefined) await sources().settleWithdrawal(first);
      expect(await listed()).toEqual([["src_orders", NOW + 2]]);
      const [second] = await sources().listWithdrawals();
      if (second !== undefined) await sources().settleWithdrawal(second);
      expect(await listed()).toEqual([]);
    });

    it("remember revoked tools until they are accepted again", async () => {
      const revoked = async () => (await sources().revokedTools("src_orders")).toSorted();
      await sources().create(toolSourceOf("src_orders"), 9);
      await sources().create(toolSourceOf("src_other"), 9);
      await change([tool("a", "1", null), tool("b", "1", null)], { revoked: ["a", "b"] });
      await change([tool("a", null, null), tool("b", null, null)], { revoked: ["a"] });
      expect(await revoked()).toEqual(["a", "b"]);
      await change([tool("a", "2", "2"), tool("b", "2", null)]);
      expect([await revoked(), await sources().revokedTools("src_other")]).toEqual([["b"], []]);
      await sources().delete("ws_a", "src_orders", now);
      expect(await revoked()).toEqual([]);
    });

    it("keep the tools that cannot be used, and which revisions they support for each client", async () => {
      await sources().create(toolSourceOf("src_orders"), 9);
      const skippedTools = [{ name: "a b", reason: "expected another name" }];
      expect(await change([], { skippedTools })).toMatchObject({ skippedTools });
      await change([]);
      expect(await sources().find("ws_a", "src_orders")).toMatchObject({ skippedTools });
      const open = { sourceId: "src_orders", client: "https://tools.example" };
      const keyed = { ...open, client: "secret:KEY https://tools.example" };
      const legacy = { verdict: "legacy", determinedAt: NOW };
      const modern = { verdict: "modern", determinedAt: NOW + 1 };
      expect(await sources().findEra(open)).toBeUndefined();
      await sources().saveEra(open, legacy);
      await sources().saveEra(keyed, legacy);
      await sources().saveEra(open, modern);
      expect(await sources().findEra(open)).toEqual(modern);
      expect(await sources().findEra(keyed)).toEqual(legacy);
      await change([], { settings: { ...toolSourceOf("src_orders").settings, url: "https://moved.example" } });
      expect(await sources().findEra(open)).toBeUndefined();
      await sources().saveEra(open, modern);
      await sources().delete("ws_a", "src_orders", now);
      expect(await sources().findEra(open)).toBeUndefined();
    });

    it("know which agents refer to them, and are deleted only by force while one does", async () => {
      await sources().create(toolSourceOf("src_orders"), 9);
      const used = async () => {
        let counted: unknown;
        const plan = (_source: unknown, _tools: unknown, use: unknown) => {
          counted = use;
          return { at: NOW };
        };
        await sources().change("ws_a", "src_orders", plan, 9);
        expect(counted).toMatchObject(await sources().useOf("src_orders"));
        return counted;
      };
      const agent = (id: string, revision: number, tools: Agent["tools"]) => agentOf({ id, version: revision, tools });
      const source = "src_orders";
      await store().agents.create("ws_a", agent("agt_1", 1, [{ source }]));
      await store().agents.create("ws_a", agent("agt_2", 1, [{ source, tools: ["a"] }]));
      expect(await used()).toMatchObject({ agents: 2, listingAll: 1 });
      await expect(sources().delete("ws_a", source, now)).rejects.toMatchObject({ code: "CONFLICT" });
      await store().agents.update("ws_a", agent("agt_1", 2, [{ source, tools: ["a"] }]), 1);
      expect(await used()).toMatchObject({ agents: 2, listingAll: 0 });
      await store().agents.update("ws_a", agent("agt_1", 3, []), 2);
      expect(await used()).toMatchObject({ agents: 1, listingAll: 0 });
      await sources().delete("ws_a", source, { ...now, isForced: true });
      await sources().create(toolSourceOf("src_other"), 9);
      await store().agents.create("ws_a", agent("agt_3", 1, [{ source: "src_other" }]));
      await store().agents.archive("ws_a", "agt_3", NOW);
      await sources().delete("ws_a", "src_other", now);
    });
  });
}
