import { createHash } from "node:crypto";
import { newId } from "@yagate/lib/ids/ids";
import { ALL_SCOPES } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { createChangeRecorder, OPERATOR } from "@yagate/store/tables/change-recorder";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { placeMigratedJournal } from "../../../test/services/migrated-stores.ts";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { type ApiKeysOptions, createApiKeys } from "../src/api-keys.ts";
import { NOW } from "./support.ts";

const BOOTSTRAP_KEY = "bootstrap key of this test";

let directory: TemporaryDirectory;
let store: Store;
let clock: { now: number };

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  await placeMigratedJournal(directory.path);
  store = await openSqliteStore({ dataDir: directory.path });
  clock = { now: NOW };
});
afterEach(async () => {
  await store.close();
  await directory.remove();
});

const createKeys = (change: Partial<ApiKeysOptions> = {}) =>
  createApiKeys({ store: store.apiKeys, defaultWorkspaceId: "ws_default", now: () => clock.now, newId, ...change });

describe("API keys", () => {
  it("are made with a text that is shown once and stored as a hash", async () => {
    const keys = createKeys();
    const created = await keys.create({ workspaceId: "ws_a", name: "ci", scopes: ["agents", "agents", "executions"] });
    expect(created).toEqual({
      id: expect.stringMatching(/^key_/),
      workspaceId: "ws_a",
      name: "ci",
      scopes: ["agents", "executions"],
      createdAt: "2026-11-21T06:00:00.000Z",
      ...{ expiresAt: null, lastUsedAt: null, rotatedAt: null, previousExpiresAt: null, routing: null },
      key: expect.stringMatching(/^yk_[A-Za-z0-9_-]{43}$/),
    });
    const hash = createHash("sha256").update(created.key).digest("hex");
    expect(await store.apiKeys.findByHash(hash)).toMatchObject({ id: created.id });
    const { key: _, ...shown } = created;
    expect(await keys.list("ws_a", { limit: 10 })).toEqual({ data: [shown], nextCursor: null });
  });

  it("say who asks", async () => {
    const keys = createKeys();
    const { key, id } = await keys.create({ workspaceId: "ws_a", name: "ci", scopes: ["agents"] });
    expect(await keys.authenticate(key)).toEqual({
      ...{ workspaceId: "ws_a", keyId: id, keyName: "ci", scopes: new Set(["agents"]) },
    });
  });

  it.each([
    ["an unknown key", () => "yk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["nothing", () => ""],
    ["a key with white space", (key: string) => `${key} `],
    ["a key in another case", (key: string) => key.toUpperCase()],
    ["the hash of a key", (key: string) => createHash("sha256").update(key).digest("hex")],
  ])("do not know %s", async (_name, change) => {
    const keys = createKeys();
    const { key } = await keys.create({ workspaceId: "ws_a", name: "ci", scopes: ["agents"] });
    expect(await keys.authenticate(change(key))).toBeUndefined();
  });

  it("open nothing from the moment on when they are deleted", async () => {
    const keys = createKeys();
    const { key, id } = await keys.create({ workspaceId: "ws_a", name: "ci", scopes: ["agents"] });
    await keys.authenticate(key);
    await expect(keys.delete("ws_b", id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await keys.authenticate(key)).toMatchObject({ keyId: id });
    await keys.delete("ws_a", id);
    expect(await keys.authenticate(key)).toBeUndefined();
  });

  it("have an entry in the audit log for each rotation, also for two of the same millisecond", async () => {
    const keys = createKeys();
    const recorder = createChangeRecorder(OPERATOR, { now: () => clock.now, newId });
    const { id } = await keys.create({ workspaceId: "ws_a", name: "ci", scopes: ["agents"], recorder });
    await keys.rotate("ws_a", id, 60, recorder);
    await keys.rotate("ws_a", id, 60, recorder);
    const { data } = await store.audit.list({ workspaceId: "ws_a", action: "api_key.rotated" }, { limit: 10 });
    expect(data).toHaveLength(2);
  });

  it("are not remembered when they are deleted while they are being read", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const findByHash: typeof store.apiKeys.findByHash = async (hash) => {
      const row = await store.apiKeys.findByHash(hash);
      await held;
      return row;
    };
    const keys = createKeys({ store: { ...store.apiKeys, findByHash } });
    const { key, id } = await keys.create({ workspaceId: "ws_a", name: "ci", scopes: ["agents"] });
    const reading = keys.authenticate(key);
    await keys.delete("ws_a", id);
    letGo();
    await reading;
    expect(await keys.authenticate(key)).toBeUndefined();
  });

  it("are read once in a while, not at every request", async () => {
    const findByHash = vi.fn(store.apiKeys.findByHash);
    const keys = createKeys({ store: { ...store.apiKeys, findByHash } });
    const { key } = await keys.create({ workspaceId: "ws_a", name: "ci", scopes: ["agents"] });
    for (let request = 0; request < 5; request += 1) await keys.authenticate(key);
    expect(findByHash).toHaveBeenCalledTimes(1);
    clock.now = NOW + 5_000;
    await keys.authenticate(key);
    expect(findByHash).toHaveBeenCalledTimes(2);
  });
});

describe("a caller with a token that a key created", () => {
  it("may do what the key may do, until it is deleted", async () => {
    const find = vi.fn(store.apiKeys.find);
    const keys = createKeys({ store: { ...store.apiKeys, find } });
    const { id } = await keys.create({ workspaceId: "ws_a", name: "ci", scopes: ["agents"] });
    const principal = {
      ...{ workspaceId: "ws_a", keyId: id, keyName: "ci", scopes: new Set(["agents"]) },
    };
    expect(await keys.principalOf("ws_a", id)).toEqual(principal);
    expect(await keys.principalOf("ws_a", id)).toEqual(principal);
    expect(find).toHaveBeenCalledTimes(1);
    expect(await keys.principalOf("ws_b", id)).toBeUndefined();
    await keys.delete("ws_a", id);
    expect(await keys.principalOf("ws_a", id)).toBeUndefined();
  });

  it("may do what the bootstrap key may do, in its workspace and while there is one", async () => {
    const keys = createKeys({ bootstrapKey: BOOTSTRAP_KEY });
    expect(await keys.principalOf("ws_default", null)).toMatchObject({ keyId: null, scopes: new Set(ALL_SCOPES) });
    expect(await keys.principalOf("ws_a", null)).toBeUndefined();
    expect(await createKeys().principalOf("ws_default", null)).toBeUndefined();
  });
});

describe("the bootstrap key", () => {
  it("has all scopes in the default workspace, and is not stored", async () => {
    const keys = createKeys({ bootstrapKey: BOOTSTRAP_KEY });
    expect(await keys.authenticate(BOOTSTRAP_KEY)).toEqual({
      workspaceId: "ws_default",
      keyId: null,
      scopes: new Set(ALL_SCOPES),
    });
    expect(await store.apiKeys.list("ws_default", { limit: 10 })).toEqual({ data: [], nextCursor: null });
    expect(await createKeys().authenticate(BOOTSTRAP_KEY)).toBeUndefined();
  });

  it.each([[`${BOOTSTRAP_KEY} `], [BOOTSTRAP_KEY.slice(0, -1)], [BOOTSTRAP_KEY.toUpperCase()], [""]])(
    "is not %j",
    async (token) => {
      expect(await createKeys({ bootstrapKey: BOOTSTRAP_KEY }).authenticate(token)).toBeUndefined();
    },
  );

  it.each([[""], ["  "]])("may not be %j", (bootstrapKey) => {
    expect(() => createKeys({ bootstrapKey })).toThrow(expect.objectContaining({ code: "NOT_CONFIGURED" }));
  });
});
