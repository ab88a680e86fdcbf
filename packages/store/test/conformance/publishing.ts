import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { EventEntry, Store } from "../../src/port.ts";
import { appendOf, entryOf, executionOf } from "../support/fixtures.ts";

const seqs = (entries: readonly EventEntry[]) => entries.map(({ event }) => event.seq);

export function describePublishing(store: () => Store): void {
  const start = async () => (await store().eventStore.create(executionOf("ws_a"))).execution.id;

  describe("publishing", () => {
    it("publishes nothing before it is durable", async () => {
      const id = await start();
      const heard: number[] = [];
      const durableWhenHeard: Promise<readonly EventEntry[]>[] = [];
      store().eventStore.subscribe(id, (entries) => {
        heard.push(...seqs(entries));
        durableWhenHeard.push(store().eventStore.entries(id, 0));
      });
      const appending = appendTo(store().eventStore, appendOf(id, 0, { count: 2 }));
      expect(heard).toEqual([]);
      await appending;
      expect(heard).toEqual([1, 2]);
      expect((await Promise.all(durableWhenHeard)).map(seqs)).toEqual([[1, 2]]);
    });

    it("hands every entry to every listener of that execution, in order", async () => {
      const [id, other] = [await start(), await start()];
      const heard: [number[], number[]] = [[], []];
      store().eventStore.subscribe(id, (entries) => heard[0].push(...seqs(entries)));
      store().eventStore.subscribe(id, (entries) => heard[1].push(...seqs(entries)));
      await Promise.all([
        appendTo(store().eventStore, appendOf(id, 0, { count: 2 })),
        appendTo(store().eventStore, appendOf(other, 0)),
        appendTo(store().eventStore, appendOf(id, 2, { count: 3 })),
        appendTo(store().eventStore, appendOf(id, 2)),
      ]);
      await appendTo(store().eventStore, appendOf(id, 5));
      expect(heard).toEqual([
        [1, 2, 3, 4, 5, 6],
        [1, 2, 3, 4, 5, 6],
      ]);
    });

    it("announces what each append of any execution changed, and its workspace can be found", async () => {
      const [id, other] = [await start(), await start()];
      const heard: unknown[] = [];
      const leave = store().eventStore.onChange((change) => {
        if (change !== "missed") heard.push([change.executionId, change.seq, ...change.kinds]);
      });
      const entries = [
        entryOf(id, 1, { type: "execution.started" }),
        entryOf(id, 2, { type: "approval.requested", approvalId: "apr_1" }),
      ];
      await appendTo(store().eventStore, { ...appendOf(id, 0), entries });
      await appendTo(store().eventStore, appendOf(other, 0, { count: 3 }));
      // An append that came too late changes nothing.
      await appendTo(store().eventStore, appendOf(other, 0));
      leave();
      await appendTo(store().eventStore, appendOf(other, 3));
      expect(heard).toEqual([
        [id, 2, "execution", "tool_call", "approval"],
        [other, 3, "execution"],
      ]);
      expect(await store().eventStore.workspaceOf(id)).toBe("ws_a");
      expect(await store().eventStore.workspaceOf("exec_none")).toBe(undefined);
    });

    it("does not let a listener that throws disturb the append or the other listeners", async () => {
      const id = await start();
      const heard: number[] = [];
      store().eventStore.subscribe(id, () => {
        throw new Error("a listener's own defect");
      });
      store().eventStore.subscribe(id, (entries) => heard.push(...seqs(entries)));
      expect(await appendTo(store().eventStore, appendOf(id, 0))).toBe("appended");
      expect(heard).toEqual([1]);
    });

    it("stops when the listener leaves, also in the middle of a round", async () => {
      const id = await start();
      const heard: string[] = [];
      const leave = store().eventStore.subscribe(id, () => {
        heard.push("first");
        leave();
        leaveSecond();
      });
      const leaveSecond = store().eventStore.subscribe(id, () => heard.push("second"));
      await appendTo(store().eventStore, appendOf(id, 0));
      await appendTo(store().eventStore, appendOf(id, 1));
      expect(heard).toEqual(["first"]);
    });
  });
}
