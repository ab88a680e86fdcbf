import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { ExecutionRow, Store } from "../../src/port.ts";
import { appendOf, executionOf, LEASE_MS, NOW } from "../support/fixtures.ts";

const WAKE_AT = NOW + 60_000;

export function describeSleeping(store: () => Store): void {
  const start = async (workspaceId = "ws_a") =>
    (await store().eventStore.create(executionOf(workspaceId, { owner: "owner-1" }))).execution.id;
  const release = (executionId: string, change: Partial<Parameters<Store["eventStore"]["release"]>[0]> = {}) =>
    store().eventStore.release({ executionId, epoch: 1, expectedSeq: 0, wakeAt: WAKE_AT, ...change });
  const sleeping = async (workspaceId = "ws_a", wakeAt = WAKE_AT) => {
    const id = await start(workspaceId);
    expect(await release(id, { wakeAt })).toBe("released");
    return id;
  };
  const claimDue = (now: number, change: Partial<Parameters<Store["eventStore"]["claimDue"]>[0]> = {}) =>
    store().eventStore.claimDue({ owner: "owner-2", now, leaseUntil: now + LEASE_MS, limit: 100, ...change });
  const claimLapsed = (now = Number.MAX_SAFE_INTEGER) =>
    store().eventStore.claim({ owner: "owner-3", now, leaseUntil: now, limit: 100, except: new Set() });
  const idsOf = (rows: readonly ExecutionRow[]) => rows.map(({ id }) => id).sort();

  describe("a suspended execution", () => {
    it("has no owner until it is due, and then belongs to the first claimer", async () => {
      const id = await sleeping();
      expect(await claimLapsed()).toEqual([]);
      expect(await claimDue(WAKE_AT - 1)).toEqual([]);
      const claims = await Promise.all([claimDue(WAKE_AT), claimDue(WAKE_AT)]);
      expect(claims.flat()).toMatchObject([{ id, epoch: 2, lastSeq: 0 }]);
      expect(await claimDue(WAKE_AT)).toEqual([]);
      expect(claims.flat()[0]).toEqual(await store().eventStore.find(id, "ws_a"));
    });

    it("is an execution like any other once it was claimed", async () => {
      const id = await sleeping();
      await claimDue(WAKE_AT);
      expect(idsOf(await claimLapsed(WAKE_AT + LEASE_MS))).toEqual([]);
      await store().eventStore.renew({ owner: "owner-2", leaseUntil: WAKE_AT + 2 * LEASE_MS });
      expect(idsOf(await claimLapsed(WAKE_AT + LEASE_MS + 1))).toEqual([]);
      expect(idsOf(await claimLapsed(WAKE_AT + 2 * LEASE_MS + 1))).toEqual([id]);
    });

    it("is due at once when a command is appended to it, and not when its former owner renews", async () => {
      const [ordered, other] = [await sleeping(), await sleeping()];
      await store().eventStore.renew({ owner: "owner-1", leaseUntil: NOW + LEASE_MS });
      expect(await claimDue(NOW)).toEqual([]);
      expect(await appendTo(store().eventStore, appendOf(ordered, 0, { status: "waiting" }))).toBe("appended");
      expect(await claimDue(NOW)).toMatchObject([{ id: ordered, lastSeq: 1, status: "waiting" }]);
      expect(idsOf(await claimDue(WAKE_AT))).toEqual([other]);
    });

    it("takes nothing any more from the owner that laid it down, even before another has claimed it", async () => {
      const id = await sleeping();
      expect(await appendTo(store().eventStore, appendOf(id, 0, { epoch: 1 }))).toBe("taken_over");
      expect(await claimDue(WAKE_AT)).toMatchObject([{ id, epoch: 2, lastSeq: 0 }]);
    });

    it("stays suspended, and due after a command, if its owner suspends it again", async () => {
      const [id, ordered] = [await sleeping(), await sleeping()];
      await appendTo(store().eventStore, appendOf(ordered, 0, { status: "waiting" }));
      expect(await release(id, { wakeAt: WAKE_AT + 1 })).toBe("released");
      expect(await release(ordered)).toBe("released");
      expect(idsOf(await claimDue(NOW))).toEqual([ordered]);
      expect(idsOf(await claimDue(WAKE_AT))).toEqual([id]);
    });

    it("is reported when a command makes it due, and after no other append", async () => {
      const [id, awake] = [await sleeping(), await start()];
      let notified = 0;
      const stop = store().eventStore.onDue(() => {
        notified += 1;
      });
      await appendTo(store().eventStore, appendOf(awake, 0));
      await appendTo(store().eventStore, appendOf(awake, 1, { epoch: 1 }));
      expect(await appendTo(store().eventStore, appendOf(id, 7))).toBe("behind");
      expect(notified).toBe(0);
      await appendTo(store().eventStore, appendOf(id, 0));
      expect(notified).toBe(1);
      stop();
      await appendTo(store().eventStore, appendOf(id, 1));
      expect(notified).toBe(1);
    });

    it("takes nothing any more from the owner that laid it down, once another has claimed it", async () => {
      const id = await sleeping();
      await claimDue(WAKE_AT);
      expect(await appendTo(store().eventStore, appendOf(id, 0, { epoch: 1 }))).toBe("taken_over");
      expect(await release(id)).toBe("taken_over");
    });

    it("can be suspended again, and end", async () => {
      const id = await sleeping();
      await claimDue(WAKE_AT);
      expect(await release(id, { epoch: 2, wakeAt: WAKE_AT + 1 })).toBe("released");
      expect(await claimDue(WAKE_AT)).toEqual([]);
      await claimDue(WAKE_AT + 1);
      await appendTo(store().eventStore, appendOf(id, 0, { epoch: 3, status: "completed" }));
      expect(await release(id, { epoch: 3, expectedSeq: 1 })).not.toBe("released");
      expect([...(await claimDue(Number.MAX_SAFE_INTEGER)), ...(await claimLapsed())]).toEqual([]);
    });

    it("is taken up with others by workspaces in turn, as many as are asked for", async () => {
      for (let count = 0; count < 5; count += 1) await sleeping("ws_busy", NOW + count);
      await sleeping("ws_quiet", NOW + 9);
      const claimed = await claimDue(WAKE_AT, { limit: 3 });
      expect(claimed.map(({ workspaceId }) => workspaceId).sort()).toEqual(["ws_busy", "ws_busy", "ws_quiet"]);
      expect(await claimDue(WAKE_AT)).toHaveLength(3);
    });
  });

  describe("laying down", () => {
    it.each<[string, { expectedSeq?: number; epoch?: number }, string]>([
      ["past a command", { expectedSeq: 0 }, "behind"],
      ["what another has taken over", { expectedSeq: 1, epoch: 0 }, "taken_over"],
      ["what is as its owner knows it", { expectedSeq: 1 }, "released"],
    ])("is for %s: %j is %s", async (_what, change, outcome) => {
      const id = await start();
      await appendTo(store().eventStore, appendOf(id, 0));
      expect(await release(id, change)).toBe(outcome);
      expect(idsOf(await claimLapsed())).toEqual(outcome === "released" ? [] : [id]);
    });
  });
}
