import type { Store } from "@yagate/store/port";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeMigratedJournal } from "../../../test/services/migrated-stores.ts";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { assertMasterKeys } from "../src/canary.ts";
import { parseMasterKeys } from "../src/keyring.ts";
import { createSealer } from "../src/seal.ts";
import { masterKeyOf } from "./support.ts";

const FIRST = masterKeyOf("k1");

let directory: TemporaryDirectory;
let store: Store;
const check = (masterKeys: string) => assertMasterKeys(store.settings, createSealer(parseMasterKeys(masterKeys)));

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  await placeMigratedJournal(directory.path);
  store = await openSqliteStore({ dataDir: directory.path });
  await check(FIRST);
});
afterEach(async () => {
  await store.close();
  await directory.remove();
});

describe("the keyring's canary", () => {
  it.each([
    ["the same key", () => FIRST],
    ["a new active key before it", () => `${masterKeyOf("k2")},${FIRST}`],
  ])("lets a gateway start with %s", async (_name, masterKeys) => {
    expect(await check(masterKeys())).toBeUndefined();
  });

  it.each([
    ["another key", () => masterKeyOf("k2"), "encrypted with other master keys (the key k1 is still needed):"],
    ["another key of the same id", () => masterKeyOf("k1"), "encrypted with other master keys:"],
  ])("stops a gateway with %s, and stays as it was", async (_name, masterKeys, words) => {
    await expect(check(masterKeys())).rejects.toMatchObject({
      code: "NOT_CONFIGURED",
      message: expect.stringContaining(words),
    });
    expect(await check(FIRST)).toBeUndefined();
  });
});
