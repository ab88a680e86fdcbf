import { once } from "node:events";
import { newId } from "@yagate/lib/ids/ids";
import type { SealedTextStore, Store } from "@yagate/store/port";
import { expect, it, onTestFinished } from "vitest";
import { placeMigratedJournal } from "../../../test/services/migrated-stores.ts";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { createLogger } from "../../telemetry/src/logger.ts";
import { assertMasterKeys } from "../src/canary.ts";
import { parseMasterKeys } from "../src/keyring.ts";
import { createResealLog } from "../src/reseal-log.ts";
import { createResealing } from "../src/resealing.ts";
import { createSealer } from "../src/seal.ts";
import { createSigningSecrets } from "../src/signing-secrets.ts";
import { createWorkspaceSecrets } from "../src/workspace-secrets.ts";
import { masterKeyOf, NOW } from "./support.ts";

const VALUE = "sk-planted-0123456789";
const now = () => NOW;

async function openStore(): Promise<Store> {
  const directory = await makeTemporaryDirectory();
  await placeMigratedJournal(directory.path);
  const store = await openSqliteStore({ dataDir: directory.path });
  onTestFinished(async () => {
    await store.close();
    await directory.remove();
  });
  return store;
}

/** What a gateway with these master keys has of a store. */
function gatewayWith(store: Store, masterKeys: string, sealedTexts: SealedTextStore = store.sealedTexts) {
  const keyring = parseMasterKeys(masterKeys);
  const sealer = createSealer(keyring);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const { settings } = store;
  return {
    errors,
    secrets: createWorkspaceSecrets({ store: store.workspaceSecrets, sealer, now }),
    signing: createSigningSecrets({ store: store.signingSecrets, sealer, now, newId }),
    start: () => assertMasterKeys(settings, sealer),
    resealing: createResealing({
      ...{ store: sealedTexts, settings, keyring, sealer, onError, onReport: () => undefined },
      pause: async () => undefined,
    }),
  };
}

it("an old master key can be removed once its values were resealed, and not before", async () => {
  const store = await openStore();
  const [first, second] = [masterKeyOf("k1"), masterKeyOf("k2")];
  const before = gatewayWith(store, first);
  await before.start();
  const names = Array.from({ length: 120 }, (_, index) => `KEY_${index}`);
  for (const name of names) await before.secrets.put("ws_a", name, { value: `${VALUE} ${name}`, hosts: ["a.example"] });
  const { secret } = await before.signing.rotate("ws_a", { name: "default", overlapSeconds: 60 });
  const rowsBefore = await store.workspaceSecrets.list("ws_a", { limit: 200 });
  expect(await before.resealing.pass()).toEqual({
    ...{ resealed: 0, remaining: new Map([["k1", 121]]), missing: [], unused: [] },
  });

  const both = gatewayWith(store, `${second},${first}`);
  await both.start();
  await expect(gatewayWith(store, second).start()).rejects.toMatchObject({ code: "NOT_CONFIGURED" });
  expect(await both.resealing.pass()).toEqual({
    ...{ resealed: 121, remaining: new Map([["k2", 121]]), missing: [], unused: ["k1"] },
  });
  expect(await both.resealing.pass()).toMatchObject({ resealed: 0, unused: ["k1"] });

  const after = gatewayWith(store, second);
  await after.start();
  for (const name of names) {
    expect(await after.secrets.open("ws_a", name)).toEqual({
      value: `${VALUE} ${name}`,
      texts: [`${VALUE} ${name}`],
      auth: null,
      hosts: ["a.example"],
      isUnbound: false,
    });
  }
  expect(await after.signing.forSigning("ws_a", "default")).toEqual([secret]);
  const metadata = (row: { sealed: string }) => ({ ...row, sealed: "" });
  const rowsAfter = await store.workspaceSecrets.list("ws_a", { limit: 200 });
  expect(rowsAfter.data.map(metadata)).toEqual(rowsBefore.data.map(metadata));
  await expect(gatewayWith(store, first).start()).rejects.toMatchObject({
    message: expect.stringContaining("the key k2 is still needed"),
  });
  expect([...before.errors, ...both.errors]).toEqual([]);
});

it("what is written meanwhile stays as it was written", async () => {
  const store = await openStore();
  const [first, second] = [masterKeyOf("k1"), masterKeyOf("k2")];
  const old = gatewayWith(store, `${first},${second}`);
  await old.start();
  for (const name of ["CHANGED", "DELETED", "SAME"]) await old.secrets.put("ws_a", name, { value: VALUE });
  const beside: SealedTextStore = {
    ...store.sealedTexts,
    async replace(changes) {
      await old.secrets.put("ws_a", "CHANGED", { value: `${VALUE}-2` });
      await old.secrets.delete("ws_a", "DELETED");
      return store.sealedTexts.replace(changes);
    },
  };
  const next = gatewayWith(store, `${second},${first}`, beside);
  expect(await next.resealing.pass()).toMatchObject({ resealed: 1 });
  expect(await next.secrets.open("ws_a", "CHANGED")).toMatchObject({ value: `${VALUE}-2` });
  expect(await next.secrets.open("ws_a", "DELETED")).toBeUndefined();
  // The replica that still seals with the old key has done so once more; the next pass finds it.
  expect(await gatewayWith(store, `${second},${first}`).resealing.pass()).toMatchObject({
    ...{ resealed: 1, remaining: new Map([["k2", 2]]) },
  });
});

it("two replicas at the same time lose nothing", async () => {
  const store = await openStore();
  const [first, second] = [masterKeyOf("k1"), masterKeyOf("k2")];
  const old = gatewayWith(store, first);
  await old.start();
  for (let index = 0; index < 70; index++) await old.secrets.put("ws_a", `KEY_${index}`, { value: `${VALUE}${index}` });
  const replicas = [1, 2].map(() => gatewayWith(store, `${second},${first}`));
  const reports = await Promise.all(replicas.map(({ resealing }) => resealing.pass()));
  expect(reports.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(70);
  const after = gatewayWith(store, second);
  await after.start();
  for (let index = 0; index < 70; index++) {
    expect(await after.secrets.open("ws_a", `KEY_${index}`)).toMatchObject({ value: `${VALUE}${index}` });
  }
});

it("a missing key is named, and its values do not prevent other values from being resealed", async () => {
  const store = await openStore();
  const [first, second, lost] = [masterKeyOf("k1"), masterKeyOf("k2"), masterKeyOf("lost")];
  await gatewayWith(store, first).start();
  await gatewayWith(store, `${lost},${first}`).secrets.put("ws_a", "LOST", { value: VALUE });
  await gatewayWith(store, first).secrets.put("ws_a", "KEPT", { value: VALUE });
  const row = await store.workspaceSecrets.find("ws_a", "KEPT");
  await store.workspaceSecrets.put({ workspaceId: "ws_a", name: "MOVED", sealed: row?.sealed ?? "", at: NOW }, 9);
  const both = gatewayWith(store, `${second},${first}`);
  const report = await both.resealing.pass();
  expect(report).toEqual({
    resealed: 1,
    remaining: new Map([
      ["k2", 1],
      ["lost", 1],
      ["k1", 1],
    ]),
    missing: ["lost"],
    unused: [],
  });
  expect(both.errors).toMatchObject([{ code: "INTERNAL" }]);
  // Without the old key there is still no start.
  await expect(gatewayWith(store, second).start()).rejects.toMatchObject({ code: "NOT_CONFIGURED" });

  const lines: string[] = [];
  const log = createResealLog(createLogger("debug", { write: (line) => lines.push(line) }));
  for (const each of [
    report,
    { ...report, resealed: 0, missing: [], unused: ["k1"] },
    { ...report, resealed: 0, missing: [], unused: ["k1"] },
  ]) {
    log(each);
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, missing: ["lost"], sealedValues: { k1: 1, k2: 1, lost: 1 } },
    { level: 30, resealed: 1 },
    {
      level: 30,
      unused: ["k1"],
      msg: "no stored value is encrypted with these older master keys: they can be removed",
    },
  ]);
});

it("a pass that is stopped leaves everything readable", async () => {
  const store = await openStore();
  const [first, second] = [masterKeyOf("k1"), masterKeyOf("k2")];
  await gatewayWith(store, first).start();
  for (let index = 0; index < 60; index++) {
    await gatewayWith(store, first).secrets.put("ws_a", `KEY_${index}`, { value: VALUE });
  }
  const keyring = parseMasterKeys(`${second},${first}`);
  const { settings, sealedTexts } = store;
  let batches = 0;
  const stopped = createResealing({
    ...{ store: sealedTexts, settings, keyring, sealer: createSealer(keyring) },
    onReport: () => expect.unreachable(),
    onError: () => expect.unreachable(),
    async pause(_ms, signal) {
      batches += 1;
      if (batches === 2) stopped.stop();
      signal.throwIfAborted();
    },
  });
  stopped.start();
  await stopped.stop();
  const both = gatewayWith(store, `${second},${first}`);
  await both.start();
  for (let index = 0; index < 60; index++) {
    expect(await both.secrets.open("ws_a", `KEY_${index}`)).toMatchObject({ value: VALUE });
  }
  expect((await both.resealing.pass()).unused).toEqual(["k1"]);
});

it("passes begin a second after the start and then every ten minutes, as long as there is an older key", async () => {
  const store = await openStore();
  const [first, second] = [masterKeyOf("k1"), masterKeyOf("k2")];
  await gatewayWith(store, first).start();
  const waitsWith = async (masterKeys: string) => {
    const keyring = parseMasterKeys(masterKeys);
    const waits: number[] = [];
    const { promise: isDone, resolve } = Promise.withResolvers<void>();
    const resealing = createResealing({
      ...{ store: store.sealedTexts, settings: store.settings, keyring, sealer: createSealer(keyring) },
      ...{ onReport: () => resolve(), onError: () => expect.fail("no error") },
      pause: async (ms, signal) => {
        waits.push(ms);
        if (waits.length > 1 && !signal.aborted) await once(signal, "abort");
      },
    });
    resealing.start();
    await isDone;
    await resealing.stop();
    return waits;
  };
  expect(await waitsWith(first)).toEqual([1_000]);
  expect(await waitsWith(`${second},${first}`)).toEqual([1_000, 600_000]);
});
