import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { EventEntry, Store } from "../../src/port.ts";
import { appendOf, entryOf, executionOf } from "../support/fixtures.ts";

const seqs = (entries: readonly EventEntry[]) => entries.map(({ event }) => event.seq);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

export function describePaging(store: () => Store): void {
  const start = async () => (await store().eventStore.create(executionOf("ws_a"))).execution.id;

  /** All entries after `afterSeq`, page by page. */
  async function pages(executionId: string, afterSeq = 0): Promise<readonly (readonly EventEntry[])[]> {
    const read: (readonly EventEntry[])[] = [];
    for (let seq = afterSeq; ; seq = read.at(-1)?.at(-1)?.event.seq ?? seq) {
      const { entries, isLast } = await store().eventStore.entryPage(executionId, seq);
      read.push(entries);
      if (isLast) return read;
      expect(entries.length).toBeGreaterThan(0);
    }
  }

  describe("reading page by page", () => {
    it("gives a short log at once", async () => {
      const id = await start();
      expect(await store().eventStore.entryPage(id, 0)).toEqual({ entries: [], isLast: true });
      await appendTo(store().eventStore, appendOf(id, 0, { count: 3 }));
      await appendTo(store().eventStore, appendOf(id, 3, { count: 2 }));
      expect(await store().eventStore.entryPage(id, 0)).toEqual({
        entries: await store().eventStore.entries(id, 0),
        isLast: true,
      });
      for (let seen = 0; seen <= 5; seen += 1) {
        const { entries, isLast } = await store().eventStore.entryPage(id, seen);
        expect([seqs(entries), isLast]).toEqual([upTo(5).slice(seen), true]);
      }
    });

    it("gives a log of many appends in some pages, each once", async () => {
      const id = await start();
      for (let seq = 0; seq < 300; seq += 2) await appendTo(store().eventStore, appendOf(id, seq, { count: 2 }));
      const read = await pages(id);
      expect(read.flatMap(seqs)).toEqual(upTo(300));
      expect(read.length).toBeGreaterThan(2);
      expect((await pages(id, 151)).flatMap(seqs)).toEqual(upTo(300).slice(151));
    });

    it("gives large entries few at a time, and one that is larger than a page", async () => {
      const id = await start();
      const lengths = [100_000, 100_000, 100_000, 100_000, 1_000_000, 10, 10];
      for (const [seq, length] of lengths.entries()) {
        const text = "\u00e9".repeat(length);
        const entries = [entryOf(id, seq + 1, { type: "model.responded", turn: seq + 1, text })];
        await appendTo(store().eventStore, appendOf(id, seq, { entries }));
      }
      const read = await pages(id);
      expect(read.flat()).toEqual(await store().eventStore.entries(id, 0));
      expect(read.map(seqs)).toEqual([[1, 2], [3, 4], [5], [6, 7]]);
    });
  });
}
