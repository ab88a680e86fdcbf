import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { ExecutionRow, Store } from "../../src/port.ts";
import { appendOf, executionOf, LEASE_MS, NOW } from "../support/fixtures.ts";

const LAPSED = NOW + LEASE_MS + 1;

export function describeLeasing(store: () => Store): void {
  const start = async (workspaceId = "ws_a", owner = "owner-1") =>
    (await store().eventStore.create(executionOf(workspaceId, { owner }))).execution.id;
  const claim = (change: Partial<Parameters<Store["eventStore"]["claim"]>[0]> = {}) =>
    store().eventStore.claim({
      owner: "owner-2",
      now: LAPSED,
      leaseUntil: LAPSED + LEASE_MS,
      limit: 100,
      except: new Set(),
      ...change,
    });
  const idsOf = (rows: readonly ExecutionRow[]) => rows.map(({ id }) => id).sort();

  describe("leases", () => {
    it("hands over an execution whose lease has lapsed, one epoch on", async () => {
      const id = await start();
      await appendTo(store().eventStore, appendOf(id, 0, { count: 2 }));
      const claimed = await claim();
      expect(claimed).toMatchObject([{ id, epoch: 2, lastSeq: 2, status: "running" }]);
      expect(claimed[0]).toEqual(await store().eventStore.find(id, "ws_a"));
    });

    it("leaves a lease that still runs, to its last millisecond", async () => {
      const id = await start();
      expect(await claim({ now: NOW + LEASE_MS })).toEqual([]);
      expect(idsOf(await claim({ now: NOW + LEASE_MS + 1 }))).toEqual([id]);
    });

    it("hands over each execution once", async () => {
      const ids = [await start(), await start(), await start()];
      const claims = await Promise.all([claim({ limit: 2 }), claim({ limit: 2 }), claim({ limit: 2 })]);
      expect(claims.map((rows) => rows.length)).toEqual([2, 1, 0]);
      expect(idsOf(claims.flat())).toEqual(ids.sort());
    });

    it("never hands over one that has ended", async () => {
      const id = await start();
      await appendTo(store().eventStore, appendOf(id, 0, { epoch: 1, status: "completed" }));
      await store().eventStore.renew({ owner: "owner-1", leaseUntil: NOW });
      expect(await claim({ now: Number.MAX_SAFE_INTEGER })).toEqual([]);
    });

    it("keeps one that waits claimable: only an end is an end", async () => {
      const id = await start();
      await appendTo(store().eventStore, appendOf(id, 0, { epoch: 1, status: "waiting" }));
      expect(idsOf(await claim())).toEqual([id]);
    });

    it("leaves out those that the owner is advancing", async () => {
      const [first, second] = [await start(), await start()];
      expect(idsOf(await claim({ except: new Set([first]) }))).toEqual([second]);
    });

    it("leaves out all of one owner's", async () => {
      const [own, others] = [await start("ws_a", "owner-1"), await start("ws_a", "owner-3")];
      const all = { now: Number.MAX_SAFE_INTEGER };
      expect(idsOf(await claim({ ...all, exceptOwner: "owner-1" }))).toEqual([others]);
      expect(idsOf(await claim({ ...all, except: new Set([others]) }))).toEqual([own]);
    });

    it("takes workspaces in turn", async () => {
      for (let count = 0; count < 5; count += 1) await start("ws_busy");
      await start("ws_quiet");
      const claimed = await claim({ limit: 3 });
      expect(claimed.map(({ workspaceId }) => workspaceId).sort()).toEqual(["ws_busy", "ws_busy", "ws_quiet"]);
    });

    it("renews every unfinished lease of one owner and no other", async () => {
      const [own, others] = [await start("ws_a", "owner-1"), await start("ws_a", "owner-3")];
      await store().eventStore.renew({ owner: "owner-1", leaseUntil: LAPSED + 1 });
      expect(idsOf(await claim())).toEqual([others]);
      expect(idsOf(await claim({ now: LAPSED + 2, except: new Set([others]) }))).toEqual([own]);
    });

    it("does not renew for the owner that was taken over from", async () => {
      await start();
      await claim({ leaseUntil: LAPSED });
      await store().eventStore.renew({ owner: "owner-1", leaseUntil: LAPSED + LEASE_MS });
      expect(await claim({ now: LAPSED + 1, owner: "owner-3" })).toMatchObject([{ epoch: 3 }]);
    });
  });
}
