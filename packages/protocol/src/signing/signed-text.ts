import { hmac } from "#hmac";
import { YagateError } from "../errors/yagate-error.ts";
import { encodeBase64 } from "./base64.ts";
import { isBytes } from "./bytes.ts";
import { encodeHex } from "./hex.ts";
import type { SignedText } from "./hmac.ts";
import { formatSignatureHeader, parseSignatureHeader } from "./signature-header.ts";
import { assertSendable, type HmacKey, textKeysOf } from "./signing-keys.ts";

/** Returns the HMACs of one text under each key, in hex. Throws `PAYLOAD_INVALID` if the body is not bytes. */
export function signaturesOf(
  keys: readonly HmacKey[],
  text: SignedText,
  encoding: "hex" | "base64",
): readonly string[] | Promise<readonly string[]> {
  if (!isBytes(text.body)) throw new YagateError("PAYLOAD_INVALID", "expected the body as the exact bytes to send");
  return hmac.signatures?.(keys, text, encoding) ?? encodedDigests(keys, text, encoding);
}

async function encodedDigests(keys: readonly HmacKey[], text: SignedText, encoding: "hex" | "base64") {
  const digests = await hmac.digests(keys, text);
  return digests.map(encoding === "hex" ? encodeHex : encodeBase64);
}

/**
 * Signs a text with 1 to 8 secrets and returns the value of `X-YA-Signature`; a promise only if the runtime's HMAC is
 * asynchronous. Throws `SECRET_INVALID` or `PAYLOAD_INVALID`.
 */
export function signText(text: SignedText, secrets: readonly string[]): string | Promise<string> {
  assertSendable(secrets);
  const signatures = signaturesOf(textKeysOf(secrets), text, "hex");
  return "then" in signatures ? signatures.then(formatSignatureHeader) : formatSignatureHeader(signatures);
}

/**
 * Verifies that at least one entry of the header is a signature of the text under one of the secrets. Returns a promise
 * only if the runtime's HMAC is asynchronous.
 *
 * @throws {@link YagateError} `SECRET_INVALID` (checked first), `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`,
 *   `SIGNATURE_MISMATCH`, `BODY_ALREADY_PARSED`.
 */
export function verifyText(
  header: string | null | undefined,
  text: SignedText,
  secrets: readonly string[],
): Promise<void> | undefined {
  const keys = textKeysOf(secrets);
  assertReceivedBytes(text.body);
  return assertSigned(keys, text, parseSignatureHeader(header));
}

/**
 * Throws `BODY_ALREADY_PARSED` unless the body is bytes. The signed bytes cannot be restored from a parsed body,
 * because serialising it again may produce a different text.
 */
export function assertReceivedBytes(body: unknown): void {
  if (!isBytes(body)) throw new YagateError("BODY_ALREADY_PARSED", "expected the body as the exact bytes received");
}

/**
 * Throws `SIGNATURE_MISMATCH` unless one of the digests is the HMAC of the text under one of the keys. Returns a
 * promise only if the runtime's HMAC is asynchronous.
 */
export function assertSigned(
  keys: readonly HmacKey[],
  text: SignedText,
  candidates: readonly Uint8Array[],
): Promise<void> | undefined {
  const digests = hmac.digests(keys, text);
  // A promise is recognised by its `then` method, not by its class: Zone.js replaces the class, but async functions
  // still return native promises.
  if ("then" in digests) return digests.then((known) => assertMatch(known, candidates));
  assertMatch(digests, candidates);
  return undefined;
}

function assertMatch(digests: readonly Uint8Array[], candidates: readonly Uint8Array[]): void {
  let isMatch = false;
  for (const digest of digests) {
    for (const candidate of candidates) {
      // The comparison continues after a match, because its duration must not reveal which secret or entry matched.
      if (hmac.isEqual(digest, candidate)) isMatch = true;
    }
  }
  if (!isMatch) {
    throw new YagateError(
      "SIGNATURE_MISMATCH",
      "expected the signature header to contain a signature of these bytes with one of the signing secrets",
    );
  }
}
