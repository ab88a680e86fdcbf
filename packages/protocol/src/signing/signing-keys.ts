import { hmac } from "#hmac";
import { YagateError } from "../errors/yagate-error.ts";
import { KeyCache } from "./key-cache.ts";
import { parseSigningSecret } from "./signing-secret.ts";

/** A key, as represented by the runtime's implementation. */
export type HmacKey = ReturnType<typeof hmac.createKey>;

/** Maximum number of secrets that can sign at the same time. A rotation never keeps more. */
export const MAX_LIVE_SECRETS = 8;

const CACHED_KEYS = 512;

function createKey(bytes: Uint8Array): HmacKey {
  try {
    return hmac.createKey(bytes);
  } catch (cause) {
    throw new YagateError("NOT_CONFIGURED", "expected Web Crypto; browsers provide it only in secure contexts", {
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
  // Not map(), which skips the holes of a sparse array, so that fewer keys would be compared than were passed.
  for (const secret of secrets) keys.push(cache.get(secret));
  return keys;
}

/**
 * Returns the keys for `X-YA-Signature`: each is the text of a secret, including its prefix. Throws `SECRET_INVALID`.
 */
export function textKeysOf(secrets: readonly string[]): readonly HmacKey[] {
  return keysOf(secrets, textKeys);
}

/**
 * Returns the keys for the Standard Webhooks headers: each is the decoded part of a secret after `whsec_`. Throws
 * `SECRET_INVALID`.
 */
export function decodedKeysOf(secrets: readonly string[]): readonly HmacKey[] {
  return keysOf(secrets, decodedKeys);
}

/** Throws `SECRET_INVALID` if a sender has no secret or more than 8 secrets. */
export function assertSendable(secrets: readonly string[]): void {
  if (Array.isArray(secrets) && secrets.length > MAX_LIVE_SECRETS) {
    throw new YagateError("SECRET_INVALID", `expected 1 to ${MAX_LIVE_SECRETS} signing secrets`);
  }
}
