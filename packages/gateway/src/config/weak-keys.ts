import { parseMasterKeys } from "@yagate/secrets/keyring";
import type { CompleteConfig } from "./gateway-config.ts";

const MIN_API_KEY_CHARACTERS = 32;
const MIN_DIFFERENT_CHARACTERS = 12;
const MIN_DIFFERENT_BYTES = 16;

/** A key that could be guessed. */
export interface WeakKey {
  readonly setting: "apiKey" | "masterKeys";
  /** Says what was expected and how to generate a strong key; never contains the key itself. */
  readonly message: string;
  /**
   * Whether it is an older master key. Such a key is used only for decryption until it is replaced, so the gateway
   * starts despite a weak one.
   */
  readonly isOlder: boolean;
}

/**
 * Finds keys that were probably typed rather than generated: an API key with fewer than 32 characters or fewer than 12
 * different ones, or a master key with fewer than 16 different bytes. 32 random bytes fail this check with a
 * probability below 10^-16.
 */
export function findWeakKeys({
  apiKey,
  masterKeys,
}: Pick<CompleteConfig, "apiKey" | "masterKeys">): readonly WeakKey[] {
  const weak: WeakKey[] = [];
  if (apiKey !== undefined && isWeakApiKey(apiKey)) {
    const message =
      `expected at least ${MIN_API_KEY_CHARACTERS} characters, at least ${MIN_DIFFERENT_CHARACTERS} of them different; ` +
      `generate one with: echo "yk_$(openssl rand -hex 32)"`;
    weak.push({ setting: "apiKey", message, isOlder: false });
  }
  const keys = masterKeys === undefined ? [] : parseMasterKeys(masterKeys).all;
  for (const [index, { key }] of keys.entries()) {
    if (new Set(key.export()).size >= MIN_DIFFERENT_BYTES) continue;
    const message =
      `master key ${index + 1}: expected 32 random bytes, at least ${MIN_DIFFERENT_BYTES} of them different; ` +
      `generate one with: echo "k1:$(openssl rand -base64 32)"`;
    weak.push({ setting: "masterKeys", message, isOlder: index > 0 });
  }
  return weak;
}

function isWeakApiKey(key: string): boolean {
  return key.length < MIN_API_KEY_CHARACTERS || new Set(key).size < MIN_DIFFERENT_CHARACTERS;
}
