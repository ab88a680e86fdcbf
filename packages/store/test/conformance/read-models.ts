import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { FoldExecution, Store } from "../../src/port.ts";
import { appendOf, entryOf, executionOf, NOW, summaryOf } from "../support/fixtures.ts";
import type { StoreHarness } from "./store-harness.ts";

const HOUR = { step: 3_600, from: NOW, until: NOW + 1 };

/** Counts events, and takes every call for one of the tool `work`. */
const fold: FoldExecution = ({ id, state, events }) => {
  const requested = events.filter(({ type }) => type === "tool_call.requested");
  return {
    state: `${Number(state ?? 0) + events.length}`,
    tools: requested.length > 0 ? ["work"] : [],
    calls: requested.map(() => ({
      id: `tc_${id}`,
      tool: "work",
      status: "failed" as const,
      code: "HANDLER_ERROR",
      requestedAt: NOW,
      finishedAt: null,
    })),
    points: [{ metric: "events", label: "", step: 3_600, at: NOW, bucket: 0, value: events.length }],
  };
};

export function describeReadModels(store: () => Store, harness: () => StoreHarness): void {
  async function settle(subject = store()): Promise<void> {
    while (!(await subject.readModels.advance(fold, 10)).isOver);
    while (!(await subject.readModels.backfill(fold, 10)).isOver);
  }

  const counted = async (workspaceId = "ws_a", subject = store()) =>
    (await subject.readModels.points(workspaceId, HOUR, ["events"])).map(({ value }) => value);

  /** An execution of `workspaceId` with a call, and `count` further events. */
  async function executed(workspaceId = "ws_a", count = 1, finishedAt = NOW): Promise<string> {
    const { eventStore } = store();
    const { id } = (await eventStore.create(executionOf(workspaceId))).execution;
    const entries = [entryOf(id, 1, { type: "tool_call.requested", toolCallId: `tc_${id}` })];
    await appendTo(eventStore, { ...appendOf(id, 0), entries });
    await appendTo(eventStore, { ...appendOf(id, 1, { count }), summary: { ...summaryOf("completed"), finishedAt } });
    return id;
  }

  describe("read models", () => {
    it("contain each event once, in its workspace", async () => {
      await executed("ws_a", 3);
      await executed("ws_b");
      await settle();
      await settle();
      expect([await counted("ws_a"), await counted("ws_b")]).toEqual([[4], [2]]);
      await executed("ws_a");
      await settle();
      expect([await counted("ws_a"), await counted("ws_b")]).toEqual([[6], [2]]);
    });

    it("write nothing while nothing has changed", async () => {
      expect(await store().readModels.advance(fold, 10)).toEqual({ isOver: true, failures: [] });
      expect(await store().readModels.isBackfilling()).toBe(false);
    });

    it("continue where they were after a restart", async () => {
      await executed();
      await settle();
      await executed();
      const other = await reopened();
      await settle(other);
      expect(await counted("ws_a", other)).toEqual([4]);
      await other.close();
    });

    /** The store, opened again; the open one is closed. */
    async function reopened(): Promise<Store> {
      await store().close();
      return harness().open();
    }

    it("read an execution with many appends in several steps", async () => {
      const { id } = (await store().eventStore.create(executionOf("ws_a"))).execution;
      for (let seq = 0; seq < 150; seq += 1) await appendTo(store().eventStore, appendOf(id, seq));
      await settle();
      expect(await counted()).toEqual([150]);
    });

    it.each([1, 2, 7])(
      "contain each event once when a step reads %i executions, whose commits alternate",
      async (limit) => {
        const ids: string[] = [];
        for (let index = 0; index < 6; index += 1) {
          ids.push((await store().eventStore.create(executionOf("ws_a"))).execution.id);
        }
        for (let seq = 0; seq < 30; seq += 1) {
          for (const id of ids) await appendTo(store().eventStore, appendOf(id, seq));
          if (seq % 10 === 4) await store().readModels.advance(fold, limit);
        }
        while (!(await store().readModels.advance(fold, limit)).isOver);
        expect(await counted()).toEqual([180]);
      },
    );

    it("skip an execution whose events cannot be folded, and report it", async () => {
      const id = await executed();
      const failing: FoldExecution = () => {
        throw new Error("damaged");
      };
      const { failures } = await store().readModels.advance(failing, 10);
      expect(failures.map(({ executionId }) => executionId)).toEqual([id]);
      await settle();
      expect(await counted()).toEqual([]);
    });

    it("find executions by tool, and pages stay whole while new ones arrive", async () => {
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1) ids.unshift(await executed());
      const plain = (await store().eventStore.create(executionOf("ws_a"))).execution.id;
      await executed("ws_b");
      await settle();
      const filter = { tool: "work", metadata: [] };
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store().eventStore.list("ws_a", { limit: 2, cursor }, filter);
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
        await executed();
        await settle();
      } while (cursor !== undefined);
      expect(seen).toEqual(ids);
      expect(seen).not.toContain(plain);
      const byBoth = { tool: "work", metadata: [{ name: "team", value: "support" }] };
      expect((await store().eventStore.list("ws_a", { limit: 50 }, byBoth)).data).toHaveLength(8);
      const byOther = { ...byBoth, tool: "rest" };
      expect((await store().eventStore.list("ws_a", { limit: 50 }, byOther)).data).toEqual([]);
    });

    it.each([
      [{}, 1],
      [{ tool: "work" }, 1],
      [{ tool: "rest" }, 0],
      [{ status: "failed" }, 1],
      [{ status: "running" }, 0],
      [{ code: "HANDLER_ERROR", status: "failed", tool: "work" }, 1],
      [{ code: "TIMEOUT" }, 0],
    ] as const)("list tool calls by %o", async (filter, count) => {
      const executionId = await executed();
      await executed("ws_b");
      await settle();
      const { data, nextCursor } = await store().readModels.toolCalls("ws_a", { limit: 10 }, filter);
      expect(nextCursor).toBe(null);
      expect(data.map((call) => call.executionId)).toEqual(count === 1 ? [executionId] : []);
    });

    it("lose the rows of a deleted execution, and count later ones", async () => {
      await executed("ws_a", 1, NOW);
      await settle();
      await store().retention.deleteEnded({ endedBefore: NOW + 1, afterId: "", limit: 10 });
      expect((await store().readModels.toolCalls("ws_a", { limit: 10 })).data).toEqual([]);
      const id = await executed();
      await settle();
      expect((await store().readModels.toolCalls("ws_a", { limit: 10 })).data).toMatchObject([{ executionId: id }]);
      expect(await counted()).toEqual([4]);
    });

    it("delete points that are too old", async () => {
      await executed();
      await settle();
      expect(await store().readModels.deletePoints(3_600, NOW, 10)).toBe(0);
      expect(await store().readModels.deletePoints(300, NOW + 1, 10)).toBe(0);
      expect(await store().readModels.deletePoints(3_600, NOW + 1, 10)).toBe(1);
      expect(await counted()).toEqual([]);
    });

    it("are kept up to date by one replica at a time", async () => {
      const claim = (owner: string, now: number) => store().readModels.claim({ owner, now, until: now + 1_000 });
      expect(await claim("a", NOW)).toBe(true);
      expect(await claim("a", NOW + 1)).toBe(true);
      expect(await claim("b", NOW + 2)).toBe(store().isExclusive);
      expect(await claim("b", NOW + 1_001)).toBe(true);
    });
  });
}
