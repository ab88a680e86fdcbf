import { hmac } from "#hmac";
import { YagateError } from "../errors/yagate-error.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";

/**
 * Keeps the prepared keys of the most recently used secrets, so that each secret is checked and prepared only once.
 *
 * Secrets for which `createKey` throws are not kept.
 */
export class KeyCache<Key> {
  readonly #capacity: number;
  readonly #createKey: (secret: string) => Key;
  /** Ordered from the least to the most recently used. */
  readonly #keys = new Map<string, Key>();
  #newest: string | undefined;

  constructor(capacity: number, createKey: (secret: string) => Key) {
    this.#capacity = capacity;
    this.#createKey = createKey;
  }

  get size(): number {
    return this.#keys.size;
  }

  get(secret: string): Key {
    const known = this.#keys.get(secret);
    // Most processes use one secret, which is already at the end: moving it there would cost more than the lookup.
    if (known !== undefined && secret === this.#newest) return known;
    const key = known ?? this.#createKey(secret);
    this.#keys.delete(secret);
    this.#keys.set(secret, key);
    this.#newest = secret;
    this.#dropOldest();
    return key;
  }

  #dropOldest(): void {
    for (const secret of this.#keys.keys()) {
      if (this.#keys.size <= this.#capacity) return;
      this.#keys.delete(secret);
    }
  }
}

const PREFIX = "whsec_";
const GENERATED_BYTES = 32;
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const MAX_LENGTH = PREFIX.length + 4 * Math.ceil(MAX_BYTES / 3);

/**
 * Generates a signing secret.
 *
 * @returns `whsec_` and the base64 of 32 random bytes.
 */
export function generateSigningSecret(): string {
  return PREFIX + encodeBase64(crypto.getRandomValues(new Uint8Array(GENERATED_BYTES)));
}

/**
 * Validates a signing secret strictly. If white space, another alphabet or missing padding were accepted, two services
 * could derive different keys from "the same" secret.
 *
 * The decoded bytes are the key only for the Standard Webhooks headers; the key for `X-YA-Signature` is the text of the
 * secret.
 *
 * @param secret - `whsec_` and the canonical base64 of 24 to 64 bytes.
 * @returns the decoded bytes.
 * @throws {@link YagateError} `SECRET_INVALID`.
 */
export function parseSigningSecret(secret: string): Uint8Array {
  const bytes =
    typeof secret === "string" && secret.startsWith(PREFIX) && secret.length <= MAX_LENGTH
      ? decodeBase64(secret.slice(PREFIX.length))
      : undefined;
  if (bytes === undefined || bytes.byteLength < MIN_BYTES || bytes.byteLength > MAX_BYTES) {
    throw new YagateError(
      "SECRET_INVALID",
      `expected a signing secret: ${PREFIX} followed by the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes, without spaces`,
    );
  }
  return bytes;
}

const CHECKED_SECRETS = 512;

const checked = /* @__PURE__ */ new KeyCache(CHECKED_SECRETS, (secret) => {
  parseSigningSecret(secret);
  return true;
});

/**
 * Checks whether a value is a well-formed signing secret, by the rules of {@link parseSigningSecret}. The last 512
 * well-formed secrets are cached, so checking a secret that is in use costs only a lookup.
 */
export function isSigningSecret(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    return checked.get(value);
  } catch {
    return false;
  }
}

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
