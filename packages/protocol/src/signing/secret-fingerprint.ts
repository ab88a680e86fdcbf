import { encodeHex } from "./hex.ts";

const BYTES = 4;

/**
 * Names a signing secret in a log without showing it: the first 8 hex digits of the SHA-256 of its text. The same digits
 * come from `printf %s "$YAGATE_SIGNING_SECRET" | openssl dgst -sha256`.
 */
export async function secretFingerprint(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return encodeHex(new Uint8Array(digest).subarray(0, BYTES));
}
