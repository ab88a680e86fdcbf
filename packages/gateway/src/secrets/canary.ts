import { YagateError } from "@yagate/protocol";
import type { SettingStore } from "@yagate/store/port";
import { kidOf, type SealContext, type Sealer } from "./seal.ts";

const SETTING = "keyring.canary";
const CONTEXT: SealContext = ["canary"];
const TEXT = "yagate";

/**
 * Checks that the store in use is still one that these master keys sealed. Nothing is written.
 *
 * @throws YagateError `NOT_CONFIGURED`: wrong master keys, or a store that was never started with any.
 */
export async function checkMasterKeys(settings: SettingStore, sealer: Sealer): Promise<void> {
  const canary = await settings.get(SETTING);
  if (canary !== undefined) return assertOpens(canary, sealer);
  throw new YagateError("NOT_CONFIGURED", "the store holds nothing that was sealed with master keys: it was exchanged");
}

/** Whether anything in the store was sealed: no other master keys than those will do. */
export async function isStoreSealed(settings: SettingStore): Promise<boolean> {
  return (await settings.get(SETTING)) !== undefined;
}

/**
 * Checks at start that the master keys are those that sealed what this store holds, before anything is sealed with
 * other ones. A new store remembers the active key.
 *
 * @throws YagateError `NOT_CONFIGURED`: wrong master keys. The gateway must not start.
 */
export async function assertMasterKeys(settings: SettingStore, sealer: Sealer): Promise<void> {
  const canary = (await settings.get(SETTING)) ?? (await settings.setOnce(SETTING, await sealer.seal(TEXT, CONTEXT)));
  await assertOpens(canary, sealer);
}

/**
 * Seals the canary anew with the active key. To be called when nothing else is sealed with another one: until then the
 * canary keeps a gateway from starting without the key that it still needs.
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
  throw new YagateError("INTERNAL", "expected another text in the keyring's canary");
}

/** Only the id: where a key of that id is configured, it is another one. */
function missingKey(canary: string, cause: unknown): string {
  const kid = YagateError.is(cause) && cause.code === "NOT_CONFIGURED" ? kidOf(canary) : undefined;
  return kid === undefined ? "" : `, which still needs the key ${kid}`;
}
