import { beforeEach, describe, expect, it } from "vitest";
import type { OAuthGrantRow, OAuthSignInRow, Store, ToolSourceRow } from "../../src/port.ts";
import { NOW } from "../support/fixtures.ts";

const SOURCE: ToolSourceRow = {
  ...{ id: "src_a", workspaceId: "ws_a", name: "a", kind: "handler", revision: 1 },
  settings: {
    kind: "handler",
    ...{ url: "https://orders.example.com/tools", signingSecret: "default", include: null, exclude: [] },
    ...{ defaults: {}, overrides: {}, onChange: "hold", syncIntervalSeconds: 900 },
  },
  ...{ status: "ready", statusAt: NOW, reason: null, generation: 0, createdAt: NOW, updatedAt: NOW },
  skippedTools: [],
  ...{ nextSyncAt: NOW + 900_000, syncFailures: 0, syncedAt: null, reads: 0, storedRead: 0 },
};
const PLACE = { issuer: "https://login.example.com", resource: "https://mcp.example.com/mcp" };
const grant: Omit<OAuthGrantRow, "revision"> = {
  ...{ sourceId: "src_a", workspaceId: "ws_a", ...PLACE, sealed: "sealed grant", updatedAt: NOW },
};
const renewed = (sealed: string) => ({ sealed, resource: "https://mcp.example.com/", updatedAt: NOW + 1 });
const signIn: OAuthSignInRow = {
  ...{ sourceId: "src_a", workspaceId: "ws_a", stateHash: "hash", keyId: "key_a", ...PLACE, sealed: "sealed sign-in" },
  expiresAt: NOW + 600_000,
};

export function describeOAuth(store: () => Store): void {
  const grants = () => store().oauthGrants;
  const signIns = () => store().oauthSignIns;
  const find = () => grants().find("ws_a", "src_a");
  const attempt = (now = NOW, maxAttempts = 2) =>
    signIns().attempt({ workspaceId: "ws_a", sourceId: "src_a" }, { now, maxAttempts });

  describe("grants of OAuth", () => {
    beforeEach(() => store().toolSources.create(SOURCE, 9));

    it("belong to a source that exists, and are found by its workspace", async () => {
      await grants().create(grant);
      await grants().create({ ...grant, sealed: "a second one" });
      await grants().create({ ...grant, sourceId: "src_other" });
      expect(await find()).toEqual({ ...grant, revision: 1 });
      expect(await grants().find("ws_b", "src_a")).toBeUndefined();
      expect(await grants().find("ws_a", "src_other")).toBeUndefined();
    });

    it("are renewed by one process at a time", async () => {
      await grants().create(grant);
      const renewals = ["one", "two", "three"].map((renewal) => ({ sourceId: "src_a", revision: 1, renewal }));
      const times = { now: NOW, until: NOW + 30_000 };
      const taken = await Promise.all(renewals.map((renewal) => grants().startRenewal(renewal, times)));
      expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
      const winner = renewals[taken.indexOf(true)] ?? renewals[0];
      const loser = renewals[taken.indexOf(false)] ?? renewals[0];
      if (winner === undefined || loser === undefined) throw new Error("expected three renewals");
      expect(await grants().finishRenewal(loser, renewed("of the loser"))).toBe(false);
      await grants().cancelRenewal(loser);
      expect(await grants().startRenewal(loser, times)).toBe(false);
      expect(await grants().finishRenewal(winner, renewed("renewed"))).toBe(true);
      expect(await find()).toEqual({ ...grant, ...renewed("renewed"), revision: 2 });
      expect(await grants().startRenewal(loser, times)).toBe(false);
    });

    it("can be renewed after a process gave up or ended", async () => {
      await grants().create(grant);
      const renewal = (name: string) => ({ sourceId: "src_a", revision: 1, renewal: name });
      expect(await grants().startRenewal(renewal("one"), { now: NOW, until: NOW + 30_000 })).toBe(true);
      await grants().cancelRenewal(renewal("one"));
      expect(await grants().startRenewal(renewal("two"), { now: NOW, until: NOW + 30_000 })).toBe(true);
      const later = { now: NOW + 30_000, until: NOW + 60_000 };
      expect(await grants().startRenewal(renewal("three"), later)).toBe(true);
      expect(await grants().finishRenewal(renewal("two"), renewed("late"))).toBe(false);
    });

    it("are deleted with their source, and when it moves to another place", async () => {
      await grants().create(grant);
      await signIns().start(signIn, NOW);
      const settings = { ...SOURCE.settings, exclude: ["b"] };
      await store().toolSources.change("ws_a", "src_a", () => ({ at: NOW, settings }), 9);
      expect(await find()).toBeDefined();
      const moved = { ...settings, url: "https://elsewhere.example.com/tools" };
      await store().toolSources.change("ws_a", "src_a", () => ({ at: NOW, settings: moved }), 9);
      expect(await find()).toBeUndefined();
      expect(await signIns().use("hash", NOW)).toBeUndefined();
      await grants().create(grant);
      await store().toolSources.delete("ws_a", "src_a", { at: NOW, isForced: false });
      expect(await find()).toBeUndefined();
      await grants().create(grant);
      expect(await find()).toBeUndefined();
    });

    it("are sealed texts", async () => {
      await grants().create(grant);
      const page = { kind: "oauth-grant", after: undefined, limit: 9 } as const;
      const texts = await store().sealedTexts.list(page);
      expect(texts).toEqual([
        {
          ...{ kind: "oauth-grant", workspaceId: "ws_a", id: "src_a", sealed: "sealed grant" },
          name: `${PLACE.issuer} ${PLACE.resource}`,
        },
      ]);
      expect(await store().sealedTexts.list({ ...page, after: texts[0] })).toEqual([]);
      expect(await store().sealedTexts.replace(texts.map((from) => ({ from, sealed: "resealed" })))).toBe(1);
      expect(await find()).toEqual({ ...grant, sealed: "resealed", revision: 1 });
    });
  });

  describe("sign-ins of OAuth", () => {
    beforeEach(() => store().toolSources.create(SOURCE, 9));

    it("use a state once, before it expires", async () => {
      expect(await signIns().start(signIn, NOW)).toBe(true);
      expect(await signIns().use("another", NOW)).toBeUndefined();
      expect(await signIns().use("hash", signIn.expiresAt)).toBeUndefined();
      const used = await Promise.all([1, 2, 3].map(() => signIns().use("hash", NOW)));
      expect(used.filter((row) => row !== undefined)).toEqual([signIn]);
    });

    it("replace an earlier one of the same source, and need a source", async () => {
      await signIns().start(signIn, NOW);
      expect(await signIns().start({ ...signIn, stateHash: "second" }, NOW)).toBe(true);
      expect(await signIns().use("hash", NOW)).toBeUndefined();
      expect(await signIns().use("second", NOW)).toBeDefined();
      expect(await signIns().start({ ...signIn, workspaceId: "ws_b" }, NOW)).toBe(false);
      expect(await signIns().start({ ...signIn, sourceId: "src_b", stateHash: "third" }, NOW)).toBe(false);
    });

    it("are confirmed after the response, with few attempts", async () => {
      await signIns().start(signIn, NOW);
      expect(await attempt()).toBeUndefined();
      expect(await signIns().hold({ stateHash: "hash", sealed: "too early" })).toBe(false);
      await signIns().use("hash", NOW);
      expect(await signIns().hold({ stateHash: "hash", sealed: "tokens" })).toBe(true);
      expect(await attempt(signIn.expiresAt)).toBeUndefined();
      expect(await attempt()).toEqual({ ...signIn, sealed: "tokens" });
      expect(await attempt()).toBeDefined();
      expect(await attempt()).toBeUndefined();
    });

    it("end with a grant, once", async () => {
      await signIns().start(signIn, NOW);
      await signIns().use("hash", NOW);
      await grants().create({ ...grant, sealed: "an earlier one" });
      await grants().startRenewal({ sourceId: "src_a", revision: 1, renewal: "one" }, { now: NOW, until: NOW + 9 });
      expect(await signIns().finish({ stateHash: "hash" }, grant)).toBe(true);
      expect(await find()).toEqual({ ...grant, revision: 2 });
      expect(
        await grants().startRenewal({ sourceId: "src_a", revision: 2, renewal: "two" }, { now: NOW, until: NOW + 9 }),
      ).toBe(true);
      expect(await signIns().finish({ stateHash: "hash" }, { ...grant, sealed: "again" })).toBe(false);
      expect((await find())?.sealed).toBe("sealed grant");
    });

    it("are deleted when they fail or expire", async () => {
      await signIns().start(signIn, NOW);
      await signIns().abandon("hash");
      expect(await signIns().use("hash", NOW)).toBeUndefined();
      await signIns().start(signIn, NOW);
      expect(await store().eventStore.deleteExpired(signIn.expiresAt - 1, 9)).toBe(0);
      expect(await store().eventStore.deleteExpired(signIn.expiresAt, 9)).toBe(1);
      expect(await signIns().use("hash", NOW)).toBeUndefined();
    });
  });
}
