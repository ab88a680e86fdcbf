import { YagateError } from "@yagate/protocol";
import type { SettingStore } from "@yagate/store/port";
import { kidOf, type SealContext, type Sealer } from "./seal.ts";

const SETTING = "keyring.canary";
const CONTEXT: SealContext = ["canary"];
const TEXT = "yagate";

/**
 * Checks that the store is still sealed with these master keys. Writes nothing.
 *
 * @throws YagateError `NOT_CONFIGURED`: wrong master keys, or a store that was replaced while the gateway runs.
 */
export async function checkMasterKeys(settings: SettingStore, sealer: Sealer): Promise<void> {
  const canary = await settings.get(SETTING);
  if (canary !== undefined) return assertOpens(canary, sealer);
  throw new YagateError(
    "NOT_CONFIGURED",
    "expected a store that is sealed with master keys: the store was replaced; restart the gateway with the right one",
  );
}

/** Whether the store was sealed with master keys; then the gateway needs the same keys. */
export async function isStoreSealed(settings: SettingStore): Promise<boolean> {
  return (await settings.get(SETTING)) !== undefined;
}

/**
 * Checks at start that the master keys are those that sealed this store, before anything is sealed with other keys. Seals a
 * new store with the active key.
 *
 * @throws YagateError `NOT_CONFIGURED`: wrong master keys. The gateway must not start.
 */
export async function assertMasterKeys(settings: SettingStore, sealer: Sealer): Promise<void> {
  const canary = (await settings.get(SETTING)) ?? (await settings.setOnce(SETTING, await sealer.seal(TEXT, CONTEXT)));
  await assertOpens(canary, sealer);
}

/**
 * Seals the canary again with the active key. Call when no other value is sealed with an older key: until then, the canary
 * prevents a start without the key that is still needed.
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
      `the master keys are not those that sealed this data${missingKey(canary, cause)}: restore YAGATE_MASTER_KEYS, or the data directory's master.key`,
      { cause },
    );
  }
  throw new YagateError("INTERNAL", "expected the keyring's canary to contain its fixed text");
}

/** Names the missing key by its id; empty if a key with this id is configured, because then its value is wrong. */
function missingKey(canary: string, cause: unknown): string {
  const kid = YagateError.is(cause) && cause.code === "NOT_CONFIGURED" ? kidOf(canary) : undefined;
  return kid === undefined ? "" : `, which still needs the key ${kid}`;
}
