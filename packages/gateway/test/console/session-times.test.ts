import { newId } from "@yagate/lib/ids/ids";
import type { Store } from "@yagate/store/port";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeMigratedJournal } from "../../../../test/services/migrated-stores.ts";
import { createApiKeys } from "../../../secrets/src/api-keys.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import { createConsoleSessions } from "../../src/console/console-sessions.ts";

const KEY = "yk_0123456789abcdef";
const NOW = Date.parse("2026-11-29T09:00:00Z");
const MINUTE_MS = 60_000;

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

function open() {
  const now = () => clock.now;
  const apiKeys = createApiKeys({ store: store.apiKeys, defaultWorkspaceId: "ws_a", bootstrapKey: KEY, now, newId });
  const sessions = createConsoleSessions({ store: store.consoleSessions, apiKeys, defaultWorkspaceId: "ws_a", now });
  return { apiKeys, sessions };
}

describe("a session", () => {
  it.each([
    ["ends an hour after its last use", [60], false],
    ["does not end while it is used", [59, 59, 59], true],
    ["ends after 12 hours, used or not", Array.from({ length: 13 }, () => 56), false],
  ])("%s", async (_name, minutes, expected) => {
    const { sessions } = open();
    const { token } = await sessions.start({ apiKey: KEY }, undefined);
    const found = [];
    for (const minute of minutes) {
      clock.now += minute * MINUTE_MS;
      found.push(await sessions.principalOf(token, true));
    }
    expect(found.at(-1) !== undefined).toBe(expected);
  });

  it("is not used by checking it again", async () => {
    const { sessions } = open();
    const { token } = await sessions.start({ apiKey: KEY }, undefined);
    clock.now += 59 * MINUTE_MS;
    expect(await sessions.principalOf(token, false)).toBeDefined();
    clock.now += MINUTE_MS;
    expect(await sessions.principalOf(token, false)).toBeUndefined();
  });

  it("ends with its key, or after 12 hours if the key lasts longer", async () => {
    const { apiKeys, sessions } = open();
    const expiresAt = NOW + 5 * MINUTE_MS;
    const { key } = await apiKeys.create({ workspaceId: "ws_a", name: "short", scopes: ["agents"], expiresAt });
    const short = await sessions.start({ apiKey: key }, undefined);
    expect(short.principal.expiresAt).toBe(expiresAt);
    const long = await sessions.start({ apiKey: KEY }, undefined);
    expect(long.principal.expiresAt).toBe(NOW + 720 * MINUTE_MS);
    clock.now = expiresAt;
    expect(await sessions.principalOf(short.token, true)).toBeUndefined();
  });

  it("is stored without its token and without its key", async () => {
    const { sessions } = open();
    const { token } = await sessions.start({ apiKey: KEY }, undefined);
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
    const stored = await store.consoleSessions.find(Buffer.from(hash).toString("hex"));
    expect(stored).toMatchObject({ keyId: null, workspaceId: "ws_a" });
    const keyHash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(KEY));
    // Someone who reads the database cannot try out guessed keys on it.
    expect(stored?.keyProof).not.toBe(Buffer.from(keyHash).toString("hex"));
    expect(JSON.stringify(stored)).not.toContain(token);
  });
});

it("a link can be used for 10 minutes", async () => {
  const { sessions } = open();
  const [used, late] = [await sessions.createLink(), await sessions.createLink()];
  clock.now += 10 * MINUTE_MS - 1;
  expect(await sessions.start({ link: used }, undefined)).toMatchObject({ principal: { keyId: null } });
  clock.now += 1;
  await expect(sessions.start({ link: late }, undefined)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
