import { YagateError } from "@yagate/protocol";
import type { SettingStore } from "@yagate/store/port";
import { kidOf, type SealContext, type Sealer } from "./seal.ts";

const SETTING = "keyring.canary";
const CONTEXT: SealContext = ["canary"];
const TEXT = "yagate";

/**
 * Checks that the store is still encrypted with these master keys. It does not write to the store.
 *
 * @throws YagateError `NOT_CONFIGURED` for wrong master keys, or for a store that was replaced while the gateway runs.
 */
export async function checkMasterKeys(settings: Pick<SettingStore, "get">, sealer: Sealer): Promise<void> {
  const canary = await settings.get(SETTING);
  if (canary !== undefined) return assertOpens(canary, sealer);
  throw new YagateError(
    "NOT_CONFIGURED",
    "expected a store with a value that is encrypted with the master keys: the store was replaced; restart the gateway with the correct store",
  );
}

/** Checks whether the store was encrypted with master keys. If so, the gateway needs the same keys. */
export async function isStoreSealed(settings: Pick<SettingStore, "get">): Promise<boolean> {
  return (await settings.get(SETTING)) !== undefined;
}

/**
 * Checks at startup that this store was encrypted with these master keys, before anything is encrypted with other keys.
 * Encrypts a new store with the active key.
 *
 * @throws YagateError `NOT_CONFIGURED` for wrong master keys. The gateway must not start.
 */
export async function assertMasterKeys(settings: SettingStore, sealer: Sealer): Promise<void> {
  const canary = (await settings.get(SETTING)) ?? (await settings.setOnce(SETTING, await sealer.seal(TEXT, CONTEXT)));
  await assertOpens(canary, sealer);
}

/**
 * Re-encrypts the canary with the active key. Call this only when no other value is encrypted with an older key. Until
 * then, the canary prevents the gateway from starting without a key that it still needs.
 */
export async function resealCanary(settings: SettingStore, sealer: Sealer, activeKid: string): Promise<void> {
  const canary = await settings.get(SETTING);
  if (canary === undefined || kidOf(canary) === activeKid) return;
  const sealed = await sealer.seal(await sealer.open(canary, CONTEXT), CONTEXT);
  await settings.replace(SETTING, canary, sealed);
}

async function assertOpens(canary: string, sealer: Sealer): Promise<void> {
  try {
    if ((await sealer.open(canary, CONTEXT)) === TEXT) return;
  } catch (cause) {
    throw new YagateError(
      "NOT_CONFIGURED",
      `this data was encrypted with other master keys${missingKey(canary, cause)}: restore YAGATE_MASTER_KEYS, or the data directory's master.key`,
      { cause },
    );
  }
  throw new YagateError("INTERNAL", "expected the keyring's canary to contain its fixed text");
}

/**
 * Returns the part of the message that contains the id of the missing key. It is empty if a key with this id is
 * configured, because the value of that key is then wrong.
 */
function missingKey(canary: string, cause: unknown): string {
  const kid = YagateError.is(cause) && cause.code === "NOT_CONFIGURED" ? kidOf(canary) : undefined;
  return kid === undefined ? "" : ` (the key ${kid} is still needed)`;
}
