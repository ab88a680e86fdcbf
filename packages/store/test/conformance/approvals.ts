import type { PageQuery } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { Append, Store } from "../../src/port.ts";
import { appendOf, approvalOf, entryOf, executionOf, NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

export function describeApprovals(store: () => Store): void {
  const start = async (workspaceId = "ws_a") =>
    (await store().eventStore.create(executionOf(workspaceId))).execution.id;

  async function ask(workspaceId: string, executionId: string, expectedSeq = 0, change: Partial<Append> = {}) {
    const approval = approvalOf(workspaceId, executionId);
    const append = appendOf(executionId, expectedSeq, { epoch: 1, approvals: [approval], ...change });
    return { approval, outcome: await appendTo(store().eventStore, append) };
  }

  const resolve = (executionId: string, seq: number, fields: Record<string, unknown>) =>
    appendTo(
      store().eventStore,
      appendOf(executionId, seq - 1, {
        entries: [entryOf(executionId, seq, { type: "approval.resolved", ...fields })],
      }),
    );

  describe("approvals", () => {
    it("are pending from the append that asks, in their own workspace only", async () => {
      const { approval } = await ask("ws_a", await start());
      const row = { ...approval, status: "pending", resolution: null };
      expect(await store().approvals.find("ws_a", approval.id)).toEqual(row);
      expect(await store().approvals.find("ws_b", approval.id)).toBeUndefined();
      expect(await store().approvals.list("ws_b", { limit: 10 })).toEqual({ data: [], nextCursor: null });
    });

    it("are not there when the append that asks is refused", async () => {
      const { approval, outcome } = await ask("ws_a", await start(), 5);
      expect(outcome).toBe("behind");
      expect(await store().approvals.find("ws_a", approval.id)).toBeUndefined();
    });

    it("have the answer of the event, from the append that holds it", async () => {
      const executionId = await start();
      const { approval } = await ask("ws_a", executionId);
      const answer = { approvalId: approval.id, status: "approved", keyId: "key_2", comment: "fine" };
      expect(await resolve(executionId, 9, answer)).toBe("behind");
      expect(await store().approvals.find("ws_a", approval.id)).toMatchObject({ status: "pending", resolution: null });
      const edited = { ...answer, parameters: { orderId: "ORD-8" }, requestHash: "sha256:1", isSelfApproval: true };
      expect(await resolve(executionId, 2, edited)).toBe("appended");
      expect(await store().approvals.find("ws_a", approval.id)).toEqual({
        ...approval,
        status: "approved",
        resolution: {
          at: new Date(NOW).toISOString(),
          keyId: "key_2",
          isSelfApproval: true,
          comment: "fine",
          parameters: { orderId: "ORD-8" },
          requestHash: "sha256:1",
        },
      });
    });

    it("are answered from the start when the append that asks says what came of it", async () => {
      const executionId = await start();
      const approval = approvalOf("ws_a", executionId);
      const entries = [
        entryOf(executionId, 1, { type: "approval.resolved", approvalId: approval.id, status: "cancelled" }),
      ];
      await appendTo(store().eventStore, appendOf(executionId, 0, { epoch: 1, approvals: [approval], entries }));
      const at = new Date(NOW).toISOString();
      const row = { ...approval, status: "cancelled", resolution: { at } };
      expect(await store().approvals.find("ws_a", approval.id)).toEqual(row);
    });

    it("distinguish the bootstrap key from no key", async () => {
      const executionId = await start();
      const [denied, expired] = [await ask("ws_a", executionId), await ask("ws_a", executionId, 1)];
      await resolve(executionId, 3, { approvalId: denied.approval.id, status: "denied", keyId: null, reason: "no" });
      await resolve(executionId, 4, { approvalId: expired.approval.id, status: "expired" });
      const resolutionOf = async (id: string) => (await store().approvals.find("ws_a", id))?.resolution;
      const at = new Date(NOW).toISOString();
      expect(await resolutionOf(denied.approval.id)).toEqual({ at, keyId: null, reason: "no" });
      expect(await resolutionOf(expired.approval.id)).toEqual({ at });
    });

    it("are listed newest first, of one status or of all, in pages", async () => {
      const executionId = await start();
      const ids: string[] = [];
      for (let seq = 0; seq < 5; seq += 1) ids.push((await ask("ws_a", executionId, seq)).approval.id);
      const [, second, , fourth] = ids;
      await resolve(executionId, 6, { approvalId: second, status: "denied" });
      await resolve(executionId, 7, { approvalId: fourth, status: "denied" });
      const list = (status?: "pending" | "denied" | "approved") => (page: PageQuery) =>
        store().approvals.list("ws_a", { ...page, status });
      await expectPages(list(), 2, ids.toReversed());
      await expectPages(list("denied"), 1, [fourth ?? "", second ?? ""]);
      await expectPages(list("pending"), 2, ids.filter((id) => id !== second && id !== fourth).toReversed());
      expect(await list("approved")({ limit: 2 })).toEqual({ data: [], nextCursor: null });
    });
  });
}
