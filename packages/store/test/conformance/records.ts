import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { Store } from "../../src/port.ts";
import { appendOf, executionOf, NOW } from "../support/fixtures.ts";

export function describeRecords(store: () => Store): void {
  const start = async () => (await store().eventStore.create(executionOf("ws_a"))).execution.id;

  describe("records", () => {
    it("are stored as they were sealed, byte for byte, and read in order", async () => {
      const id = await start();
      const entriesJson = `[ {"event":{"type":"execution.cancel_requested","seq":1,"at":"x","executionId":"${id}"}} ]`;
      await appendTo(store().eventStore, appendOf(id, 0, { sealed: { entriesJson, link: "link-1" } }));
      await appendTo(store().eventStore, appendOf(id, 1, { count: 2, sealed: { entriesJson: "[]", link: "link-2" } }));
      await appendTo(store().eventStore, appendOf(id, 3));
      expect(await store().records.appends(id)).toMatchObject([
        { lastSeq: 1, entries: entriesJson, link: "link-1" },
        { lastSeq: 3, entries: "[]", link: "link-2" },
        { lastSeq: 4, link: null },
      ]);
    });

    it("stand where their last append left them", async () => {
      const id = await start();
      const subject = {
        executionId: id,
        workspaceId: "ws_a",
        agentId: "agt_1",
        agentVersion: 3,
        startedByKeyId: "key_1",
        createdAt: NOW,
        request: JSON.stringify({ input: "Where is order 7?", metadata: { team: "support" } }),
      };
      expect(await store().records.position(id)).toEqual({ subject, last: null });
      await appendTo(store().eventStore, appendOf(id, 0, { sealed: { entriesJson: "[]", link: "link-1" } }));
      await appendTo(store().eventStore, appendOf(id, 1, { count: 2, sealed: { entriesJson: "[]", link: "link-2" } }));
      expect(await store().records.position(id)).toEqual({ subject, last: { lastSeq: 3, link: "link-2" } });
    });

    it("keep nothing of an append that is refused", async () => {
      const id = await start();
      await appendTo(store().eventStore, appendOf(id, 7, { sealed: { entriesJson: "[]", link: "link-7" } }));
      expect(await store().records.appends(id)).toEqual([]);
      expect(await store().records.position(id)).toMatchObject({ last: null });
    });

    it("are not there for an execution that is not", async () => {
      expect(await store().records.position("exec_none")).toBeUndefined();
      expect(await store().records.appends("exec_none")).toEqual([]);
    });
  });
}
