import { newId } from "@yagate/lib/ids/ids";
import type { Attempt } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { Store } from "../../src/port.ts";
import { MAX_KEPT_REDELIVERIES, type RedeliveryMessages, type RedeliveryRow } from "../../src/tables/redeliveries.ts";
import { AT, appendOf, executionOf, NOW } from "../support/fixtures.ts";

/** The store keeps the attempt as it is and reads nothing of it. */
const attemptOf = (id: string, statusCode: number | null) => ({ id, statusCode, startedAt: AT }) as unknown as Attempt;
const messages: RedeliveryMessages = {
  request: { headers: { "content-type": "application/json" }, body: "{}", bodyBytes: 2, isTruncated: false },
  response: null,
};

export function describeRedeliveries(store: () => Store): void {
  const redeliveries = () => store().redeliveries;

  async function ended(): Promise<string> {
    const { eventStore } = store();
    const { id } = (await eventStore.create(executionOf("ws_a"))).execution;
    await appendTo(eventStore, appendOf(id, 0, { status: "completed" }));
    return id;
  }

  async function add(executionId: string, change: Partial<RedeliveryRow> = {}): Promise<RedeliveryRow> {
    const id = newId("attempt");
    const base = { id, workspaceId: "ws_a", executionId, toolCallId: `tc_${executionId}`, at: NOW };
    const row = { ...base, attempt: attemptOf(id, null), ...change };
    await redeliveries().add(row);
    return row;
  }

  describe("redeliveries", () => {
    it("are listed by call, oldest first, in their workspace", async () => {
      const executionId = await ended();
      const rows = [await add(executionId), await add(executionId)];
      await add(executionId, { toolCallId: "tc_other" });
      await add(executionId, { workspaceId: "ws_b" });
      expect(await redeliveries().list("ws_a", `tc_${executionId}`)).toEqual(rows);
      expect(await redeliveries().find("ws_b", rows[0]?.id ?? "")).toBeUndefined();
    });

    it("have no messages until they end", async () => {
      const { id, ...rest } = await add(await ended());
      expect(await redeliveries().find("ws_a", id)).toEqual({ id, ...rest, request: null, response: null });
      await redeliveries().finish(id, attemptOf(id, 200), messages);
      const attempt = attemptOf(id, 200);
      expect(await redeliveries().find("ws_a", id)).toEqual({ id, ...rest, attempt, ...messages });
    });

    it("are stored with their audit entry, or not at all", async () => {
      const row = await add(await ended());
      const auditOf = (id: string) => ({
        ...{ id, workspaceId: "ws_a", at: NOW, action: "tool_call.redelivered", resourceType: "tool_call" },
        ...{ resourceId: row.toolCallId, keyId: null, entry: JSON.stringify({ id }) },
      });
      await expect(redeliveries().add(row, auditOf("aud_1"))).rejects.toThrow();
      const other = { ...row, id: newId("attempt") };
      await redeliveries().add(other, auditOf("aud_2"));
      expect(await redeliveries().list("ws_a", row.toolCallId)).toEqual([row, other]);
      const { data } = await store().audit.list({ workspaceId: "ws_a" }, { limit: 10 });
      expect(data).toEqual([{ id: "aud_2" }]);
    });

    it("of a call are deleted, the oldest first, above a number", async () => {
      const executionId = await ended();
      const rows: RedeliveryRow[] = [];
      for (let count = 0; count < MAX_KEPT_REDELIVERIES + 2; count += 1) rows.push(await add(executionId));
      const other = await add(executionId, { toolCallId: "tc_other" });
      expect(await redeliveries().list("ws_a", `tc_${executionId}`)).toEqual(rows.slice(2));
      expect(await redeliveries().list("ws_a", "tc_other")).toEqual([other]);
    });

    it("lose their messages once these are too old, and go with their execution", async () => {
      const executionId = await ended();
      const [old, later] = [await add(executionId, { at: 0 }), await add(executionId)];
      for (const { id } of [old, later]) await redeliveries().finish(id, attemptOf(id, 200), messages);
      await store().eventStore.deleteExpired(NOW, 10);
      expect(await redeliveries().find("ws_a", old.id)).toMatchObject({ request: null });
      expect(await redeliveries().find("ws_a", later.id)).toMatchObject(messages);
      await store().retention.deleteEnded({ endedBefore: NOW + 1_000, afterId: "", limit: 10 });
      expect(await redeliveries().find("ws_a", later.id)).toBeUndefined();
    });
  });
}
