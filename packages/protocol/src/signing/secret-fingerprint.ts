import { encodeHex } from "./hex.ts";

const BYTES = 4;

/**
 * Identifies a signing secret in a log without revealing it: returns the first 8 hex digits of the SHA-256 of its text.
 * `printf %s "$YAGATE_SIGNING_SECRET" | openssl dgst -sha256` prints a hash that starts with the same digits.
 */
export async function secretFingerprint(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return encodeHex(new Uint8Array(digest).subarray(0, BYTES));
}
