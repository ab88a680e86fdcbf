import { newId } from "@yagate/lib/ids/ids";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/port.ts";
import type { ApiKeyRow } from "../../src/tables/api-keys.ts";
import { createChangeRecorder, OPERATOR } from "../../src/tables/change-recorder.ts";
import type { EndpointRow } from "../../src/tables/endpoints.ts";
import { NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

const THIRTY_DAYS_MS = 2_592_000_000;

const UNUSED = { expiresAt: null, lastUsedAt: null, rotatedAt: null, previous: null, routing: null };

function keyOf(workspaceId: string): ApiKeyRow {
  const id = newId("apiKey");
  return {
    id,
    workspaceId,
    name: "ci",
    hash: `hash of ${id}`,
    scopes: ["agents", "executions"],
    createdAt: NOW,
    ...UNUSED,
  };
}

function endpointOf(workspaceId: string, change: Partial<EndpointRow> = {}): EndpointRow {
  const common = { url: "https://shop.example/tools", disabledAt: NOW, reason: "410 Gone" };
  return { id: newId("endpoint"), workspaceId, ...common, ...change };
}

export function describeSmallTables(store: () => Store): void {
  describe("API keys", () => {
    it("are found by their hash until they are deleted", async () => {
      const key = keyOf("ws_a");
      await store().apiKeys.create(key);
      expect(await store().apiKeys.findByHash(key.hash)).toEqual(key);
      await store().apiKeys.delete("ws_a", key.id);
      expect(await store().apiKeys.findByHash(key.hash)).toBeUndefined();
    });

    it("are found by their id in their own workspace, until they are deleted", async () => {
      const key = keyOf("ws_a");
      await store().apiKeys.create(key);
      expect(await store().apiKeys.find("ws_a", key.id)).toEqual(key);
      expect(await store().apiKeys.find("ws_b", key.id)).toBeUndefined();
      await store().apiKeys.delete("ws_a", key.id);
      expect(await store().apiKeys.find("ws_a", key.id)).toBeUndefined();
    });

    it("are found by two texts after a rotation, and by the one before no more after the next", async () => {
      const key = { ...keyOf("ws_a"), expiresAt: NOW + 9, routing: { region: "eu" } };
      await store().apiKeys.create(key);
      const rotation = { workspaceId: "ws_a", keyId: key.id, at: NOW + 1, previousUntil: NOW + 2 };
      const rotated = await store().apiKeys.rotate({ ...rotation, hash: `second of ${key.id}` });
      const previous = { hash: key.hash, until: NOW + 2 };
      expect(rotated).toEqual({ ...key, hash: `second of ${key.id}`, rotatedAt: NOW + 1, previous });
      expect(await store().apiKeys.findByHash(rotated.hash)).toEqual(rotated);
      expect(await store().apiKeys.findByHash(key.hash)).toEqual(rotated);
      await store().apiKeys.rotate({ ...rotation, hash: `third of ${key.id}` });
      expect(await store().apiKeys.findByHash(key.hash)).toBeUndefined();
      const cut = await store().apiKeys.rotate({ ...rotation, hash: key.hash, previousUntil: NOW + 1 });
      expect(cut.previous).toBeNull();
      expect(await store().apiKeys.findByHash(`third of ${key.id}`)).toBeUndefined();
      await expect(store().apiKeys.rotate({ ...rotation, workspaceId: "ws_b", hash: "x" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    it("are changed in what is named, and remember their latest use", async () => {
      const key = { ...keyOf("ws_a"), routing: { scopes: ["a"] } };
      await store().apiKeys.create(key);
      const changed = { ...key, name: "other", expiresAt: NOW };
      expect(await store().apiKeys.update("ws_a", key.id, { name: "other", expiresAt: NOW })).toEqual(changed);
      for (const at of [NOW + 5, NOW + 1]) await store().apiKeys.markUsed(key.id, at);
      expect(await store().apiKeys.find("ws_a", key.id)).toEqual({ ...changed, lastUsedAt: NOW + 5 });
      await expect(store().apiKeys.update("ws_b", key.id, {})).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("are listed and deleted by their own workspace only", async () => {
      const keys = [keyOf("ws_a"), keyOf("ws_a"), keyOf("ws_a")];
      for (const key of keys) await store().apiKeys.create(key);
      const others = keyOf("ws_b");
      await store().apiKeys.create(others);
      await expect(store().apiKeys.delete("ws_a", others.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expectPages((page) => store().apiKeys.list("ws_a", page), 2, keys.map(({ id }) => id).reverse());
      await expectPages((page) => store().apiKeys.list("ws_b", page), 2, [others.id]);
    });
  });

  describe("the audit log", () => {
    it("has the entry of what was committed alone, and loses its oldest ones first", async () => {
      const clock = { now: NOW };
      const recorder = createChangeRecorder(OPERATOR, { now: () => clock.now, newId });
      const show = ({ name }: ApiKeyRow) => ({ name });
      const audit = recorder.of<ApiKeyRow>("ws_audited", "api_key.created", {
        type: "api_key",
        idOf: ({ id }) => id,
        show,
      });
      const keys = [keyOf("ws_audited"), keyOf("ws_audited"), keyOf("ws_audited")];
      for (const key of keys) {
        clock.now += 1;
        await store().apiKeys.create(key, audit);
      }
      const [first] = keys;
      if (first === undefined) throw new Error("expected a key");
      await expect(store().apiKeys.create(first, audit)).rejects.toThrow();
      const ids = async (limit = 10) =>
        (await store().audit.list({ workspaceId: "ws_audited" }, { limit })).data.map(({ resource }) => resource.id);
      const newest = keys.map(({ id }) => id).reverse();
      expect(await ids()).toEqual(newest);
      expect(await store().audit.deleteBefore(NOW + 3, 1)).toBe(1);
      expect(await ids()).toEqual(newest.slice(0, 2));
      expect(await store().audit.deleteBefore(NOW + 3, 10)).toBe(1);
      expect(await store().audit.deleteBefore(NOW + 3, 10)).toBe(0);
      expect(await ids()).toEqual(newest.slice(0, 1));
    });
  });

  describe("endpoints", () => {
    it("are remembered while they are disabled", async () => {
      const endpoint = endpointOf("ws_a");
      await store().endpoints.disable(endpoint);
      expect(await store().endpoints.listDisabled()).toEqual([endpoint]);
      expect(await store().endpoints.enable("ws_a", endpoint.id, NOW)).toEqual({
        ...endpoint,
        disabledAt: null,
        reason: null,
      });
      expect(await store().endpoints.listDisabled()).toEqual([]);
    });

    it("are one for each workspace and URL, with the id, moment and reason of the first time", async () => {
      const endpoint = endpointOf("ws_a");
      await store().endpoints.disable(endpoint);
      await store().endpoints.disable(endpointOf("ws_a", { disabledAt: NOW + 1, reason: "410 again" }));
      expect(await store().endpoints.listDisabled()).toEqual([endpoint]);
      await store().endpoints.enable("ws_a", endpoint.id, NOW);
      await store().endpoints.disable(endpointOf("ws_a", { disabledAt: NOW + 2 }));
      expect(await store().endpoints.listDisabled()).toEqual([{ ...endpoint, disabledAt: NOW + 2 }]);
    });

    it("can be added without being disabled, and stay as they are when they are known", async () => {
      const added = endpointOf("ws_a", { disabledAt: null, reason: null });
      await store().endpoints.add({ ...added, usedAt: NOW });
      await store().endpoints.add({ ...endpointOf("ws_a"), usedAt: NOW });
      expect((await store().endpoints.list("ws_a", { limit: 10 })).data).toEqual([added]);
      expect(await store().endpoints.listDisabled()).toEqual([]);
      await store().endpoints.disable(endpointOf("ws_a"));
      await store().endpoints.add({ ...endpointOf("ws_a"), usedAt: NOW });
      expect(await store().endpoints.listDisabled()).toEqual([endpointOf("ws_a", { id: added.id })]);
    });

    it("are forgotten when nothing was sent to them for 30 days, unless they are disabled", async () => {
      const { endpoints, eventStore } = store();
      const urls = async () => (await endpoints.list("ws_a", { limit: 10 })).data.map(({ url }) => url);
      const later = NOW + 1;
      const rows = ["unused", "used", "disabled", "enabled"].map((url) =>
        endpointOf("ws_a", { url, ...(url.endsWith("abled") ? {} : { disabledAt: null, reason: null }) }),
      );
      for (const row of rows) {
        if (row.disabledAt !== null) await endpoints.disable(row);
        else await endpoints.add({ ...row, usedAt: NOW });
        if (row.url === "used") await endpoints.add({ ...endpointOf("ws_a", { url: "used" }), usedAt: later });
        if (row.url === "enabled") await endpoints.enable("ws_a", row.id, later);
      }
      expect(await eventStore.deleteExpired(NOW + THIRTY_DAYS_MS, 100)).toBe(0);
      expect(await eventStore.deleteExpired(later + THIRTY_DAYS_MS, 100)).toBe(1);
      expect(await urls()).toEqual(["enabled", "disabled", "used"]);
      expect(await eventStore.deleteExpired(later + THIRTY_DAYS_MS + 1, 1)).toBe(1);
      expect(await eventStore.deleteExpired(later + THIRTY_DAYS_MS + 1, 1)).toBe(1);
      expect(await eventStore.deleteExpired(Number.MAX_SAFE_INTEGER, 100)).toBe(0);
      expect(await urls()).toEqual(["disabled"]);
    });

    it("are listed and enabled by their own workspace only", async () => {
      const endpoints = ["a", "b", "c"].map((path) => endpointOf("ws_a", { url: `https://shop.example/${path}` }));
      for (const endpoint of endpoints) await store().endpoints.disable(endpoint);
      const others = endpointOf("ws_b");
      await store().endpoints.disable(others);
      await expect(store().endpoints.enable("ws_a", others.id, NOW)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expectPages((page) => store().endpoints.list("ws_a", page), 2, endpoints.map(({ id }) => id).reverse());
    });
  });

  describe("settings", () => {
    it("keep the first value that was written", async () => {
      expect(await store().settings.get("canary")).toBeUndefined();
      const values = await Promise.all([
        store().settings.setOnce("canary", "one"),
        store().settings.setOnce("canary", "two"),
      ]);
      expect(values).toEqual(["one", "one"]);
      expect(await store().settings.get("canary")).toBe("one");
    });
  });
}
