import { createSecretKey, type KeyObject } from "node:crypto";
import { YagateError } from "@yagate/protocol";

/** A master key for AES-256. It is a `KeyObject`, so that printing it does not reveal its bytes. */
export interface MasterKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * The master keys of a gateway. New values are encrypted with the active key; the other keys only decrypt older values.
 */
export interface Keyring {
  readonly active: MasterKey;
  /** All keys, the active one first. */
  readonly all: readonly MasterKey[];
  find(kid: string): MasterKey | undefined;
}

const KEY_BYTES = 32;
const KID = /^[A-Za-z0-9_-]{1,64}$/;
const KEY_TEXT = /^[A-Za-z0-9+/_-]{43}=?$/;

function parseKey(text: string): KeyObject | undefined {
  if (!KEY_TEXT.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  const canonical = text.replace("=", "").replaceAll("-", "+").replaceAll("_", "/");
  // A key in non-canonical base64 is a typing error that would go unnoticed until a correct copy is used.
  if (bytes.length !== KEY_BYTES || bytes.toString("base64").replace("=", "") !== canonical) return undefined;
  return createSecretKey(bytes);
}

function parseEntry(entry: string, position: number): MasterKey {
  const [kid = "", text = "", ...rest] = entry.split(":");
  const key = parseKey(text);
  if (!KID.test(kid) || key === undefined || rest.length > 0) {
    // The message repeats neither part of the entry: if the colon is missing, what looks like the id may be the key.
    throw new YagateError(
      "NOT_CONFIGURED",
      `master key ${position}: expected <key id>:<base64 of ${KEY_BYTES} random bytes>`,
    );
  }
  return { kid, key };
}

/**
 * Parses a list of master keys, as in `YAGATE_MASTER_KEYS`.
 *
 * @param text - `kid:base64` entries, separated by commas or line breaks. Each key has 32 bytes, in base64 or
 *   base64url. The first is the active key. A kid has 1 to 64 characters of `A-Z a-z 0-9 _ -`.
 * @throws YagateError `NOT_CONFIGURED`; the message never contains the input.
 */
export function parseMasterKeys(text: string): Keyring {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const keys = entries.map((entry, index) => parseEntry(entry, index + 1));
  const [active] = keys;
  if (active === undefined) throw new YagateError("NOT_CONFIGURED", "expected at least one master key");
  const byKid = new Map(keys.map((key) => [key.kid, key]));
  if (byKid.size !== keys.length) {
    throw new YagateError("NOT_CONFIGURED", "expected every master key to have a different id");
  }
  return { active, all: keys, find: (kid) => byKid.get(kid) };
}
