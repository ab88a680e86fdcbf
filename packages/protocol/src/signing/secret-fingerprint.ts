import { encodeHex } from "./hex.ts";

const BYTES = 4;

/**
 * Returns a fingerprint that identifies a signing secret in a log without revealing it: the first 8 hex digits of the
 * SHA-256 of the secret's text. `printf %s "$YAGATE_SIGNING_SECRET" | openssl dgst -sha256` prints the hash that starts
 * with these digits.
 */
export async function secretFingerprint(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return encodeHex(new Uint8Array(digest).subarray(0, BYTES));
}
