import { setImmediate as nextSlot } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { Store } from "../../src/port.ts";
import { agentOf, appendOf, entryOf, executionOf, NOW, summaryOf } from "../support/fixtures.ts";
import type { StoreHarness } from "./store-harness.ts";
import { killAppenderAfter } from "./surviving.ts";
import { toolSourceOf } from "./tool-sources.ts";
import { toolOf } from "./tools.ts";

const WEEK_MS = 604_800_000;
const FIELDS = { type: "execution.cancel_requested" } as const;

export function describeStoredBytes(store: () => Store, harness: () => StoreHarness, kills: readonly number[]): void {
  const message = (body: string) => ({ headers: {}, body, bodyBytes: body.length, isTruncated: false });

  async function settled(subject = store()): Promise<Readonly<Record<string, number>>> {
    while (!(await subject.storedBytes.advance()));
    return Object.fromEntries(await subject.storedBytes.totals());
  }

  /** The totals are what the rows say. */
  async function expectExact(subject = store()): Promise<Readonly<Record<string, number>>> {
    const totals = await settled(subject);
    const recounted = new Map((await harness().recountBytes()).map((row) => [row.workspace_id, row.bytes]));
    for (const workspaceId of new Set([...Object.keys(totals), ...recounted.keys()])) {
      expect([workspaceId, totals[workspaceId] ?? 0]).toEqual([workspaceId, recounted.get(workspaceId) ?? 0]);
    }
    return totals;
  }

  /** An execution with a call, which has ended. */
  async function executed(workspaceId: string, finishedAt = NOW, output = "é".repeat(500)): Promise<string> {
    const { eventStore } = store();
    const { id } = (await eventStore.create(executionOf(workspaceId))).execution;
    await appendTo(eventStore, {
      ...appendOf(id, 0),
      entries: [
        entryOf(id, 1, { type: "tool_call.requested", toolCallId: `tc_${id}` }),
        entryOf(id, 2, { type: "attempt.started", toolCallId: `tc_${id}`, attemptId: `att_${id}` }),
      ],
      exchanges: [{ attemptId: `att_${id}`, request: message("q"), response: message(output) }],
    });
    // Large enough to be stored apart.
    const text = "large".repeat(10_000);
    await appendTo(eventStore, {
      ...appendOf(id, 2),
      entries: [entryOf(id, 3, { ...FIELDS, text })],
      summary: { ...summaryOf("completed"), finishedAt },
    });
    return id;
  }

  describe("stored bytes", () => {
    it("are those of requests, appends, exchanges and versions, each counted as its workspace's", async () => {
      expect(await expectExact()).toEqual({});
      const script = "é".repeat(50_000);
      const { execution } = await store().eventStore.create(
        executionOf("ws_a", { request: { input: "go", metadata: { script } } }),
      );
      const begun = (await expectExact())["ws_a"] ?? 0;
      expect(begun).toBeGreaterThan(100_000);
      expect(begun).toBeLessThan(101_000);
      const text = "ü".repeat(1_000);
      const link = "l".repeat(200);
      const entries = [entryOf(execution.id, 1, { ...FIELDS, text })];
      const sealed = { entriesJson: JSON.stringify(entries), link };
      await appendTo(store().eventStore, { ...appendOf(execution.id, 0), entries, sealed });
      const grown = (await expectExact())["ws_a"] ?? 0;
      expect(grown - begun).toBe(Buffer.byteLength(sealed.entriesJson) + link.length);
      await executed("ws_b");
      const agent = agentOf();
      await store().agents.create("ws_c", agent);
      await store().agents.update("ws_c", { ...agent, version: 2, systemPrompt: "p".repeat(5_000) }, 1);
      const tool = toolOf("get_order");
      await store().tools.create("ws_d", [tool]);
      await store().tools.update("ws_d", { ...tool, version: 2 }, 1);
      const totals = await expectExact();
      expect(totals).toMatchObject({ ws_a: grown });
      expect(totals["ws_b"]).toBeGreaterThan(1_000);
      expect(totals["ws_c"]).toBeGreaterThan(5_000);
      expect(totals["ws_d"]).toBeGreaterThan(500);
    });

    it("are those of the definitions of tool sources, until they are deleted", async () => {
      const { toolSources } = store();
      const content = (text: string) => JSON.stringify({ text: text.repeat(1_000) });
      const tools = (text: string) => [
        {
          name: "a",
          published: { hash: text, content: content(text) },
          accepted: { hash: text, content: content(text) },
        },
        { name: "b", published: { hash: text, content: content(text) }, accepted: null },
      ];
      const change = (text: string, at: number) =>
        toolSources.change("ws_a", "src_bytes", () => ({ at, tools: tools(text) }), 9);
      await toolSources.create(toolSourceOf("src_bytes"), 9);
      const before = (await expectExact())["ws_a"] ?? 0;
      await change("é", NOW);
      expect((await expectExact())["ws_a"]).toBe(before + 2 * 2_011);
      await change("è", NOW + 1);
      // The accepted definition is kept.
      expect((await expectExact())["ws_a"]).toBe(before + 3 * 2_011);
      // Written and deleted before they are counted.
      await change("ê", NOW + 2);
      await change("è", NOW + 3);
      expect((await expectExact())["ws_a"]).toBe(before + 4 * 2_011);
      expect(await toolSources.deleteSuperseded(NOW + 900_000, 9)).toBe(2);
      expect((await expectExact())["ws_a"]).toBe(before + 2 * 2_011);
    });

    it("of a refused or repeated beginning, and of an append that came too late, are not counted", async () => {
      const idempotency = { scope: "s", key: "k", bodyHash: "aa", expiresAt: NOW + 10 };
      const { execution } = await store().eventStore.create(executionOf("ws_a", { idempotency }));
      await appendTo(store().eventStore, appendOf(execution.id, 0));
      const before = await expectExact();
      await store().eventStore.create(executionOf("ws_a", { idempotency }));
      await store()
        .eventStore.create(executionOf("ws_a", { maxPending: 0 }))
        .catch(() => undefined);
      expect(await appendTo(store().eventStore, appendOf(execution.id, 0))).toBe("behind");
      expect(await appendTo(store().eventStore, appendOf(execution.id, 1, { epoch: 9 }))).toBe("taken_over");
      expect(await expectExact()).toEqual(before);
    });

    it("go with what is deleted, counted before or not, and what comes after it is counted", async () => {
      for (let n = 0; n < 5; n += 1) await executed("ws_a");
      await executed("ws_b", NOW + 2_000);
      const full = await expectExact();
      await executed("ws_a");
      // The last one was not counted when it went.
      expect(await store().retention.deleteEnded({ endedBefore: NOW + 1_000, afterId: "", limit: 10 })).toMatchObject({
        deleted: 6,
      });
      expect(await expectExact()).toEqual({ ...full, ws_a: 0 });
      await executed("ws_a");
      expect((await expectExact())["ws_a"]).toBeGreaterThan(1_000);
      await executed("ws_a");
      const again = await expectExact();
      // Messages of attempts go earlier than their executions.
      expect(await store().eventStore.deleteExpired(NOW + WEEK_MS + 1, 100)).toBe(3);
      const left = await expectExact();
      expect(left["ws_a"]).toBeLessThan(again["ws_a"] ?? 0);
      await executed("ws_a");
      expect((await expectExact())["ws_a"]).toBeGreaterThan((left["ws_a"] ?? 0) + 1_000);
    });

    it("are exact while executions, appends, deletions and sums happen at once", async () => {
      let isOver = false;
      const summing = (async () => {
        while (!isOver) {
          await store().storedBytes.advance();
          await nextSlot();
        }
      })();
      const working = Array.from({ length: 12 }, async (_, n) => {
        for (let round = 0; round < 10; round += 1) await executed(`ws_${n % 3}`);
      });
      const deleting = (async () => {
        for (let round = 0; round < 10; round += 1) {
          await store().retention.deleteEnded({ endedBefore: NOW + 1_000, afterId: "", limit: 5 });
          await store().eventStore.deleteExpired(NOW + WEEK_MS + 1, 3);
        }
      })();
      await Promise.all([...working, deleting]);
      isOver = true;
      await summing;
      await expectExact();
    });

    it("of uncounted rows are counted in steps", async () => {
      const { eventStore } = store();
      const { execution } = await eventStore.create(executionOf("ws_a"));
      const count = 700;
      await Promise.all(Array.from({ length: count }, (_, seq) => appendTo(eventStore, appendOf(execution.id, seq))));
      for (let n = 0; n < 250; n += 1) await eventStore.create(executionOf("ws_b"));
      await executed("ws_c");
      await store().agents.create("ws_c", agentOf());
      const before = await expectExact();
      await harness().forgetBytes();
      expect(await store().storedBytes.advance()).toBe(false);
      await appendTo(eventStore, appendOf(execution.id, count));
      await executed("ws_d");
      const after = await expectExact();
      expect(after["ws_a"]).toBeGreaterThan(before["ws_a"] ?? 0);
      expect(after).toMatchObject({ ws_b: before["ws_b"], ws_c: before["ws_c"] });
    });

    it.each(kills)("are exact after kill -9 (after %i appends)", async (count) => {
      await store().close();
      await killAppenderAfter(harness(), count);
      const reopened = await harness().open();
      try {
        expect((await expectExact(reopened))["ws_a"]).toBeGreaterThan(0);
      } finally {
        await reopened.close();
      }
    });
  });
}
