import { hmac } from "#hmac";
import { YagateError } from "../errors/yagate-error.ts";
import { KeyCache } from "./key-cache.ts";
import { parseSigningSecret } from "./signing-secret.ts";

/** A key in the form of the runtime's implementation. */
export type HmacKey = ReturnType<typeof hmac.createKey>;

/** Maximum number of secrets that sign at the same time: a rotation never keeps more. */
export const MAX_LIVE_SECRETS = 8;

const CACHED_KEYS = 512;

function createKey(bytes: Uint8Array): HmacKey {
  try {
    return hmac.createKey(bytes);
  } catch (cause) {
    throw new YagateError("NOT_CONFIGURED", "expected Web Crypto; browsers offer it in secure contexts only", {
      cause,
    });
  }
}

const textKeys = /* @__PURE__ */ new KeyCache(CACHED_KEYS, (secret) => {
  parseSigningSecret(secret);
  return createKey(new TextEncoder().encode(secret));
});

const decodedKeys = /* @__PURE__ */ new KeyCache(CACHED_KEYS, (secret) => createKey(parseSigningSecret(secret)));

function keysOf(secrets: readonly string[], cache: KeyCache<HmacKey>): readonly HmacKey[] {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new YagateError("SECRET_INVALID", "expected a list with at least one signing secret");
  }
  const keys: HmacKey[] = [];
  // Not map: it would step over the holes of a sparse array, and fewer keys would be compared than were given.
  for (const secret of secrets) keys.push(cache.get(secret));
  return keys;
}

/** Keys for `X-YA-Signature`: the text of the secret, including its prefix. Throws `SECRET_INVALID`. */
export function textKeysOf(secrets: readonly string[]): readonly HmacKey[] {
  return keysOf(secrets, textKeys);
}

/** Keys for the Standard Webhooks headers: the decoded part after `whsec_`. Throws `SECRET_INVALID`. */
export function decodedKeysOf(secrets: readonly string[]): readonly HmacKey[] {
  return keysOf(secrets, decodedKeys);
}

/** Checks that a sender has 1 to 8 secrets. Throws `SECRET_INVALID`. */
export function assertSendable(secrets: readonly string[]): void {
  if (Array.isArray(secrets) && secrets.length > MAX_LIVE_SECRETS) {
    throw new YagateError("SECRET_INVALID", `expected 1 to ${MAX_LIVE_SECRETS} signing secrets`);
  }
}
