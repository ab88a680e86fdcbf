import { join } from "node:path";
import type { Store } from "@yagate/store/port";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { parseMasterKeys } from "../src/keyring.ts";
import { createProviderCredentials } from "../src/provider-credentials.ts";
import { createSealer } from "../src/seal.ts";
import { createWorkspaceSecrets } from "../src/workspace-secrets.ts";
import { masterKeyOf, NOW } from "./support.ts";

const VALUE = "sk-planted-0123456789";

let directory: TemporaryDirectory;
let store: Store;
beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  store = await openSqliteStore({ dataDir: join(directory.path, "data") });
});
afterEach(async () => {
  await store.close();
  await directory.remove();
});

function secretsWith(masterKeys: string) {
  return createWorkspaceSecrets({
    store: store.workspaceSecrets,
    sealer: createSealer(parseMasterKeys(masterKeys)),
    now: () => NOW,
  });
}

it("a value comes out as it went in, with how it is used and the hosts that it may be sent to", async () => {
  const secrets = secretsWith(masterKeyOf("k1"));
  await secrets.put("ws_a", "KEY", { value: VALUE, auth: { type: "bearer" }, hosts: ["a.example", "a.example"] });
  expect(await secrets.open("ws_a", "KEY")).toEqual({
    value: VALUE,
    texts: [VALUE],
    auth: { type: "bearer" },
    hosts: ["a.example"],
    isUnbound: false,
  });
  expect(await secrets.open("ws_b", "KEY")).toBeUndefined();
  expect(await secrets.open("ws_a", "OTHER")).toBeUndefined();
});

it("secrets are described without being opened", async () => {
  const secrets = secretsWith(masterKeyOf("k1"));
  await secrets.put("ws_a", "KEY", { value: VALUE, auth: { type: "bearer" }, hosts: ["a.example"] });
  await secrets.put("ws_a", "BARE", { value: VALUE });
  await secrets.put("ws_b", "OTHER", { value: VALUE });
  const withoutKey = secretsWith(masterKeyOf("k2"));
  expect(await withoutKey.describe("ws_a", ["KEY", "OTHER", "BARE", "KEY", "NONE"])).toEqual(
    new Map([
      ["KEY", { auth: { type: "bearer" }, hosts: ["a.example"], updatedAt: NOW }],
      ["BARE", { auth: null, hosts: [], updatedAt: NOW }],
    ]),
  );
});

it.each([
  ["another name", "ws_a", "OTHER"],
  ["another workspace", "ws_b", "KEY"],
])("a sealed value that was moved to %s does not open", async (_where, workspaceId, name) => {
  const secrets = secretsWith(masterKeyOf("k1"));
  await secrets.put("ws_a", "KEY", { value: VALUE });
  const row = await store.workspaceSecrets.find("ws_a", "KEY");
  await store.workspaceSecrets.put({ workspaceId, name, sealed: row?.sealed ?? "", at: NOW }, 9);
  await expect(secrets.open(workspaceId, name)).rejects.toMatchObject({
    code: "INTERNAL",
    message: expect.not.stringContaining("planted"),
  });
});

it("an old master key opens what it sealed, and a new value is sealed with the new one", async () => {
  const [first, second] = [masterKeyOf("k1"), masterKeyOf("k2")];
  await secretsWith(first).put("ws_a", "KEY", { value: VALUE });
  const rotated = secretsWith(`${second},${first}`);
  expect(await rotated.open("ws_a", "KEY")).toMatchObject({ value: VALUE });
  await rotated.put("ws_a", "KEY", { value: `${VALUE}-2` });
  expect(await secretsWith(second).open("ws_a", "KEY")).toMatchObject({ value: `${VALUE}-2` });
  await expect(secretsWith(first).open("ws_a", "KEY")).rejects.toMatchObject({ code: "NOT_CONFIGURED" });
});

it("a provider is found with its key as it is at that moment", async () => {
  const secrets = secretsWith(masterKeyOf("k1"));
  const providers = createProviderCredentials({ store: store.workspaceProviders, secrets, now: () => NOW });
  expect(await providers.find("ws_a", "openai")).toBeUndefined();
  await providers.put("ws_a", { name: "openai", secretName: "KEY", baseUrl: null }, { mayChangeUrl: false });
  expect(await providers.find("ws_a", "openai")).toEqual({
    secretName: "KEY",
    baseUrl: null,
    secret: undefined,
    isUnbound: false,
  });
  for (const value of [VALUE, `${VALUE}-2`]) {
    await secrets.put("ws_a", "KEY", { value });
    expect(await providers.find("ws_a", "openai")).toMatchObject({ secret: { value, auth: null, hosts: [] } });
  }
  expect(await providers.find("ws_b", "openai")).toBeUndefined();
  await providers.put(
    "ws_a",
    { name: "house", secretName: "KEY", baseUrl: "https://models.example.com/v1" },
    { mayChangeUrl: true },
  );
  expect(await providers.baseUrls("ws_a")).toEqual(
    new Map([
      ["house", "https://models.example.com/v1"],
      ["openai", null],
    ]),
  );
});
