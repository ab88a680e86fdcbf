import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { ExecutionRow, Store } from "../../src/port.ts";
import { appendOf, entryOf, executionOf, LEASE_MS, NOW, summaryOf } from "../support/fixtures.ts";

const SIZE = 100_000;

/** Every write and read path of texts that are stored once. */
export function describeLargeTexts(store: () => Store): void {
  const text = (letter: string) => `${letter}"\\\n`.repeat(SIZE / 4);
  const request = { input: text("i"), metadata: { team: "support" } };
  const spoken = (id: string, seq: number, said: string) => ({
    ...entryOf(id, seq, { type: "model.responded", text: said }),
    assistantMessage: [{ type: "text", text: said }],
  });
  const ended = (said: string) => ({ ...summaryOf("completed"), output: { text: said } });

  async function said(texts: readonly string[]): Promise<string> {
    const execution = executionOf("ws_a", { request });
    await store().eventStore.create(execution);
    for (const [index, one] of texts.entries()) {
      const entries = [spoken(execution.id, index + 1, one)];
      await appendTo(store().eventStore, { ...appendOf(execution.id, index), entries });
    }
    return execution.id;
  }

  describe("large texts", () => {
    it("are read as they were written, wherever they are read", async () => {
      const [answer, other] = [text("a"), text("b")];
      const id = await said([answer, other]);
      const last = entryOf(id, 3, { type: "execution.completed", output: { text: answer } });
      await appendTo(store().eventStore, { ...appendOf(id, 2), entries: [last], summary: ended(answer) });
      const entries = [spoken(id, 1, answer), spoken(id, 2, other), last];
      const { eventStore, records } = store();
      expect(await eventStore.entries(id, 0)).toEqual(entries);
      expect(await eventStore.entries(id, 1)).toEqual(entries.slice(1));
      const row = expect.objectContaining({ id, request, output: { text: answer } });
      expect(await eventStore.find(id, "ws_a")).toEqual(row);
      expect(await eventStore.findAny(id)).toEqual(row);
      expect(await eventStore.list("ws_a", { limit: 1 })).toMatchObject({ data: [row], nextCursor: null });
      expect((await records.position(id))?.subject.request).toBe(JSON.stringify(request));
      const stored = (await records.appends(id)).map((append) => append.entries);
      expect(stored).toEqual(entries.map((entry) => JSON.stringify([entry])));
    });

    it("are read when an execution is taken over or resumed", async () => {
      const id = await said([text("a")]);
      const claim = { owner: "owner-2", now: NOW + LEASE_MS + 1, leaseUntil: NOW + 10 * LEASE_MS, limit: 10 };
      const row = (epoch: number): Partial<ExecutionRow> => ({ id, request, epoch });
      expect(await store().eventStore.claim({ ...claim, except: new Set() })).toMatchObject([row(2)]);
      const release = { executionId: id, epoch: 2, expectedSeq: 1, wakeAt: NOW + 1 };
      expect(await store().eventStore.release(release)).toBe("released");
      expect(await store().eventStore.claimDue({ ...claim, now: NOW + 2 })).toMatchObject([row(3)]);
    });

    it("are read when a request is repeated, and not stored for a refused one", async () => {
      const idempotency = { scope: "ws_a key_1 POST", key: "k", bodyHash: "h", expiresAt: NOW + 1_000 };
      const execution = executionOf("ws_a", { request, idempotency });
      await store().eventStore.create(execution);
      const repeated = await store().eventStore.create(executionOf("ws_a", { request, idempotency }));
      expect(repeated).toMatchObject({ isNew: false, execution: { id: execution.id, request } });
      const other = executionOf("ws_a", { request, idempotency: { ...idempotency, bodyHash: "other" } });
      await expect(store().eventStore.create(other)).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await store().eventStore.findAny(other.id)).toBeUndefined();
    });

    it("are stored beside what the audit log keeps of the same command", async () => {
      const id = await said([]);
      const audit = {
        id: `aud_${id}`,
        workspaceId: "ws_a",
        at: NOW,
        action: "execution.cancel",
        resourceType: "execution",
        resourceId: id,
        keyId: null,
        entry: JSON.stringify({ id: `aud_${id}` }),
      };
      const entries = [spoken(id, 1, text("a"))];
      expect(await appendTo(store().eventStore, { ...appendOf(id, 0), entries, audit })).toBe("appended");
      expect(await store().eventStore.entries(id, 0)).toEqual(entries);
      expect(JSON.stringify(await store().audit.list({ workspaceId: "ws_a" }, { limit: 10 }))).toContain(audit.id);
    });

    it("count in full for a page", async () => {
      const letters = ["a", "b", "c", "d", "e", "f"];
      const id = await said(letters.map(text));
      const first = await store().eventStore.entryPage(id, 0);
      expect([first.entries.length, first.isLast]).toEqual([1, false]);
      const second = await store().eventStore.entryPage(id, 4);
      expect(second.entries).toEqual([spoken(id, 5, text("e"))]);
    });

    it("go with their execution", async () => {
      const finishedAt = NOW + 5;
      const id = await said([text("a")]);
      await appendTo(store().eventStore, { ...appendOf(id, 1), summary: { ...ended(text("a")), finishedAt } });
      const kept = await said([text("a")]);
      const deletion = { endedBefore: NOW + 1_000, afterId: "", limit: 10 };
      expect(await store().retention.deleteEnded(deletion)).toMatchObject({ deleted: 1, failures: [] });
      expect(await store().eventStore.findAny(id)).toBeUndefined();
      expect(await store().eventStore.entries(kept, 0)).toEqual([spoken(kept, 1, text("a"))]);
    });
  });
}
