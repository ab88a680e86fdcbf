import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { Store } from "../../src/port.ts";
import { appendOf, approvalOf, entryOf, executionOf, inputRequestOf, NOW, summaryOf } from "../support/fixtures.ts";

const BEFORE = NOW + 1_000;

export function describeRetaining(store: () => Store): void {
  /** An execution with one call and one attempt; `finishedAt` of an unfinished one is undefined. */
  async function executed(finishedAt: number | undefined, createdAt = NOW): Promise<string> {
    const { eventStore } = store();
    const { execution } = await eventStore.create(executionOf("ws_a", { createdAt }));
    const { id } = execution;
    const approval = approvalOf("ws_a", id);
    const message = { headers: {}, body: "{}", bodyBytes: 2, isTruncated: false };
    await appendTo(eventStore, {
      ...appendOf(id, 0),
      entries: [
        entryOf(id, 1, { type: "tool_call.requested", toolCallId: `tc_${id}` }),
        entryOf(id, 2, { type: "attempt.started", toolCallId: `tc_${id}`, attemptId: `att_${id}` }),
        entryOf(id, 3, { type: "approval.requested", toolCallId: `tc_${id}`, approvalId: approval.id }),
      ],
      approvals: [approval],
      inputRequests: [{ ...inputRequestOf("ws_a", id), toolCallId: `tc_${id}` }],
      exchanges: [{ attemptId: `att_${id}`, request: message, response: null }],
    });
    await eventStore.addLateResponse(`att_${id}`, { at: new Date(NOW).toISOString(), elapsedMs: 1, responseBytes: 0 });
    if (finishedAt !== undefined) {
      await appendTo(eventStore, { ...appendOf(id, 3), summary: { ...summaryOf("completed"), finishedAt } });
    }
    return id;
  }

  /** Which parts of an execution are there. */
  async function partsOf(id: string): Promise<readonly boolean[]> {
    const { eventStore } = store();
    const approvals = await store().approvals.list("ws_a", { limit: 100 });
    return [
      (await eventStore.find(id, "ws_a")) !== undefined,
      (await eventStore.entries(id, 0)).length > 0,
      (await eventStore.findToolCall(`tc_${id}`, "ws_a")) !== undefined,
      (await eventStore.findAttempt(`att_${id}`, "ws_a")) !== undefined,
      (await eventStore.lateResponses([`att_${id}`])).size > 0,
      approvals.data.some(({ executionId }) => executionId === id),
      (await store().inputRequests.find("ws_a", `tc_${id}`)) !== undefined,
    ];
  }

  const whole = [true, true, true, true, true, true, true];
  const gone = [false, false, false, false, false, false, false];

  describe("deleting ended executions", () => {
    it("takes all of those that ended before the moment, and nothing of the others", async () => {
      const old = await executed(BEFORE - 1);
      const waiting = await executed(undefined);
      const recent = await executed(BEFORE);
      const next = await executed(BEFORE - 1);
      const batch = { endedBefore: BEFORE, afterId: "", limit: 10 };
      expect(await store().retention.deleteEnded(batch)).toEqual({ deleted: 2, failures: [], nextAfterId: undefined });
      expect(await partsOf(old)).toEqual(gone);
      expect(await partsOf(next)).toEqual(gone);
      expect(await partsOf(waiting)).toEqual(whole);
      expect(await partsOf(recent)).toEqual(whole);
      expect(await store().eventStore.list("ws_a", { limit: 10 })).toMatchObject({
        data: [{ id: recent }, { id: waiting }],
      });
      // What is left goes on as if nothing had happened.
      expect(await appendTo(store().eventStore, appendOf(waiting, 3))).toBe("appended");
      expect(await store().retention.deleteEnded(batch)).toMatchObject({ deleted: 0 });
    });

    it("goes batch by batch past those that stay, to the first that is too young", async () => {
      const ids: string[] = [];
      for (const finishedAt of [BEFORE - 1, undefined, BEFORE - 1, BEFORE - 1]) ids.push(await executed(finishedAt));
      const young = await executed(BEFORE + 2, BEFORE + 1);
      await executed(undefined, BEFORE + 1);
      const { retention } = store();
      const first = await retention.deleteEnded({ endedBefore: BEFORE, afterId: "", limit: 2 });
      expect(first).toEqual({ deleted: 1, failures: [], nextAfterId: ids[1] });
      const second = await retention.deleteEnded({ endedBefore: BEFORE, afterId: ids[1] ?? "", limit: 2 });
      expect(second).toEqual({ deleted: 2, failures: [], nextAfterId: ids[3] });
      const third = await retention.deleteEnded({ endedBefore: BEFORE, afterId: ids[3] ?? "", limit: 2 });
      expect(third).toEqual({ deleted: 0, failures: [], nextAfterId: undefined });
      expect(await partsOf(young)).toEqual(whole);
      expect(await retention.deleteEnded({ endedBefore: BEFORE, afterId: "", limit: 2 })).toMatchObject({ deleted: 0 });
    });

    it.each([
      ["U+0000", "a\0b"],
      ["half a surrogate pair", "a\ud800b"],
    ])("takes those that hold %s, too, and what comes after them", async (_name, text) => {
      const { eventStore } = store();
      const { execution } = await eventStore.create(executionOf("ws_a", { request: { input: text } }));
      await appendTo(eventStore, {
        ...appendOf(execution.id, 0),
        entries: [
          entryOf(execution.id, 1, { type: "tool_call.requested", toolCallId: "tc_odd", parameters: { text } }),
        ],
        summary: { ...summaryOf("completed"), output: { text }, finishedAt: BEFORE - 1 },
      });
      const next = await executed(BEFORE - 1);
      expect(await store().retention.deleteEnded({ endedBefore: BEFORE, afterId: "", limit: 1 })).toEqual({
        deleted: 1,
        failures: [],
        nextAfterId: execution.id,
      });
      await store().retention.deleteEnded({ endedBefore: BEFORE, afterId: execution.id, limit: 1 });
      expect(await eventStore.find(execution.id, "ws_a")).toBeUndefined();
      expect(await eventStore.findToolCall("tc_odd", "ws_a")).toBeUndefined();
      expect(await partsOf(next)).toEqual(gone);
    });

    it("lets the key of a deleted execution make a new one", async () => {
      const idempotency = { scope: "s", key: "k", bodyHash: "aa", expiresAt: NOW + 10 };
      const { execution } = await store().eventStore.create(executionOf("ws_a", { idempotency }));
      const ended = { ...summaryOf("completed"), finishedAt: NOW + 1 };
      await appendTo(store().eventStore, { ...appendOf(execution.id, 0), summary: ended });
      await store().retention.deleteEnded({ endedBefore: BEFORE, afterId: "", limit: 10 });
      const again = executionOf("ws_a", {
        createdAt: BEFORE,
        idempotency: { ...idempotency, expiresAt: BEFORE + 10 },
      });
      expect(await store().eventStore.create(again)).toMatchObject({ execution: { id: again.id }, isNew: true });
    });

    it("is this replica's once it has claimed it", async () => {
      const claim = { owner: "replica-1", now: NOW, until: NOW + 1_000 };
      expect(await store().retention.claim(claim)).toBe(true);
      expect(await store().retention.claim({ ...claim, now: NOW + 500, until: NOW + 2_000 })).toBe(true);
    });
  });
}
