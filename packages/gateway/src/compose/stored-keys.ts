import { YagateError } from "@yagate/protocol";
import { checkMasterKeys, isStoreSealed } from "@yagate/secrets/canary";
import { parseMasterKeys } from "@yagate/secrets/keyring";
import { createSealer } from "@yagate/secrets/seal";
import { readStoredSetting } from "@yagate/store/stored-setting";
import type { CompleteConfig } from "../config/gateway-config.ts";

/**
 * Returns whether a store is encrypted with the configured master keys; false if nothing is encrypted yet.
 *
 * @throws YagateError `NOT_CONFIGURED` if it was encrypted with other keys, `UNAVAILABLE` if it cannot be read.
 */
export async function isEncryptedWith({ dataDir, databaseUrl, masterKeys }: CompleteConfig): Promise<boolean> {
  if (masterKeys === undefined) throw new YagateError("INVALID_REQUEST", "expected masterKeys");
  const settings = { get: (name: string) => readStoredSetting({ dataDir, databaseUrl }, name) };
  if (!(await isStoreSealed(settings))) return false;
  await checkMasterKeys(settings, createSealer(parseMasterKeys(masterKeys)));
  return true;
}
