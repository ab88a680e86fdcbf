import { YagateError } from "../errors/yagate-error.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { KeyCache } from "./key-cache.ts";

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
