import { newId } from "@yagate/lib/ids/ids";
import { describe, expect, it } from "vitest";
import type { SealedSigningSecret, Store } from "../../src/port.ts";
import { NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

const HOUR_MS = 3_600_000;

function secretOf(workspaceId: string, change: Partial<SealedSigningSecret> = {}): SealedSigningSecret {
  const id = newId("signingSecret");
  const common = { workspaceId, name: "default", createdAt: NOW, expiresAt: null, isSeen: true };
  return { id, sealed: `sealed ${id}`, ...common, ...change };
}

function workspaceOf(name: string) {
  return { id: newId("workspace"), name, plan: "standard", createdAt: NOW };
}

export function describeWorkspaces(store: () => Store): void {
  describe("workspaces", () => {
    it("makes one with its first signing secret", async () => {
      const workspace = workspaceOf("acme");
      const secret = secretOf(workspace.id, { isSeen: false });
      await store().workspaces.create(workspace, secret);
      expect(await store().workspaces.find(workspace.id)).toEqual(workspace);
      expect(await store().workspaces.findByName("acme")).toEqual(workspace);
      expect(await store().signingSecrets.list(workspace.id, NOW)).toEqual([secret]);
    });

    it("refuses a name that is taken, and keeps nothing of it", async () => {
      const [first, second] = [workspaceOf("acme"), workspaceOf("acme")];
      await store().workspaces.create(first, secretOf(first.id));
      const creating = store().workspaces.create(second, secretOf(second.id));
      await expect(creating).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await store().workspaces.find(second.id)).toBeUndefined();
      expect(await store().signingSecrets.list(second.id, NOW)).toEqual([]);
    });

    it("gives one another plan, and no other", async () => {
      const [acme, other] = [workspaceOf("acme"), workspaceOf("other")];
      for (const workspace of [acme, other]) await store().workspaces.create(workspace, secretOf(workspace.id));
      expect(await store().workspaces.setPlan(acme.id, "pro")).toEqual({ ...acme, plan: "pro" });
      expect(await store().workspaces.find(acme.id)).toEqual({ ...acme, plan: "pro" });
      expect(await store().workspaces.find(other.id)).toEqual(other);
      await expect(store().workspaces.setPlan("ws_none", "pro")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("lists them newest first, page by page", async () => {
      const all = ["a", "b", "c", "d", "e"].map(workspaceOf);
      for (const workspace of all) await store().workspaces.create(workspace, secretOf(workspace.id));
      await expectPages((page) => store().workspaces.list(page), 2, all.map(({ id }) => id).reverse());
    });
  });

  describe("signing secrets", () => {
    const rotate = (next: SealedSigningSecret, overlapMs: number, maxLive = 8) =>
      store().signingSecrets.rotate({
        next,
        previousExpiresAt: next.createdAt + overlapMs,
        now: next.createdAt,
        maxLive,
      });
    const idsAt = async (workspaceId: string, now: number) =>
      (await store().signingSecrets.list(workspaceId, now)).map(({ id }) => id);

    it("keeps the previous one until its overlap ends, newest first", async () => {
      const [first, second] = [secretOf("ws_a"), secretOf("ws_a", { createdAt: NOW + 1 })];
      expect(await rotate(first, HOUR_MS)).toBeNull();
      expect(await rotate(second, HOUR_MS)).toBe(NOW + 1 + HOUR_MS);
      expect(await idsAt("ws_a", NOW + HOUR_MS)).toEqual([second.id, first.id]);
      expect(await idsAt("ws_a", NOW + 1 + HOUR_MS)).toEqual([second.id]);
    });

    it("lists the current one first although the clock went back", async () => {
      const [first, second] = [secretOf("ws_a"), secretOf("ws_a", { createdAt: NOW - HOUR_MS })];
      await rotate(first, HOUR_MS);
      await rotate(second, 2 * HOUR_MS);
      expect(await idsAt("ws_a", NOW)).toEqual([second.id, first.id]);
    });

    it("ends a secret that was never shown at once", async () => {
      const [unseen, next] = [secretOf("ws_a", { isSeen: false }), secretOf("ws_a")];
      await rotate(unseen, 0);
      expect(await rotate(next, HOUR_MS)).toBeNull();
      expect(await idsAt("ws_a", NOW)).toEqual([next.id]);
    });

    it("keeps one that was shown since for the overlap", async () => {
      const [unseen, next] = [secretOf("ws_a", { isSeen: false }), secretOf("ws_a")];
      await rotate(unseen, 0);
      await store().signingSecrets.markSeen("ws_b", unseen.id);
      expect(await store().signingSecrets.list("ws_a", NOW)).toMatchObject([{ isSeen: false }]);
      await store().signingSecrets.markSeen("ws_a", unseen.id);
      expect(await rotate(next, HOUR_MS)).toBe(NOW + HOUR_MS);
      expect(await idsAt("ws_a", NOW)).toEqual([next.id, unseen.id]);
    });

    it("ends all older ones of the name when there is no overlap", async () => {
      const [first, second, third] = [secretOf("ws_a"), secretOf("ws_a"), secretOf("ws_a")];
      const billing = secretOf("ws_a", { name: "billing" });
      await rotate(billing, 0);
      await rotate(first, HOUR_MS);
      await rotate(second, HOUR_MS);
      expect(await rotate(third, 0)).toBe(NOW);
      expect((await idsAt("ws_a", NOW)).sort()).toEqual([billing.id, third.id].sort());
    });

    it("refuses one more than may be live, and changes nothing", async () => {
      const secrets = [secretOf("ws_a"), secretOf("ws_a"), secretOf("ws_a")];
      for (const secret of secrets) await rotate(secret, HOUR_MS, 3);
      await rotate(secretOf("ws_a", { name: "billing" }), HOUR_MS, 3);
      await rotate(secretOf("ws_b"), HOUR_MS, 3);
      const before = await store().signingSecrets.list("ws_a", NOW);
      await expect(rotate(secretOf("ws_a"), HOUR_MS, 3)).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await store().signingSecrets.list("ws_a", NOW)).toEqual(before);
    });

    it("takes the next once an older one has expired", async () => {
      await rotate(secretOf("ws_a"), 0, 2);
      await rotate(secretOf("ws_a"), HOUR_MS, 2);
      const later = secretOf("ws_a", { createdAt: NOW + HOUR_MS });
      expect(await rotate(later, HOUR_MS, 2)).toBe(NOW + 2 * HOUR_MS);
      expect(await idsAt("ws_a", NOW + HOUR_MS)).toHaveLength(2);
    });
  });
}
