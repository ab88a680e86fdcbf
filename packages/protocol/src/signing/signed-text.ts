import { hmac } from "#hmac";
import { YagateError } from "../errors/yagate-error.ts";
import { encodeBase64 } from "./base64.ts";
import { decodeHexAt, encodeHex } from "./hex.ts";
import type { SignedText } from "./hmac.ts";
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

/**
 * Name of the header that contains the signatures of calls, responses and callbacks: `X-YA-Signature`, in lower case.
 */
export const SIGNATURE_HEADER = "x-ya-signature";

const LABEL = "sha256=";
const DIGEST_BYTES = 32;
const ENTRY_LENGTH = LABEL.length + 2 * DIGEST_BYTES;
/** Maximum number of entries, which limits the work that an unverified header can cause. */
const MAX_ENTRIES = 10;

/** Formats the value of the header: `sha256=` and each hex digest, joined by commas. */
function formatSignatureHeader(digests: readonly string[]): string {
  return digests.map((digest) => LABEL + digest).join(",");
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/**
 * Parses the value of the header: a comma-separated list of at most 10 `name=value` entries. White space around commas
 * and empty elements are allowed. Skips entries that are not exactly `sha256=` and 64 lower-case hex digits.
 *
 * The parser scans the text without a regular expression or copies, because it runs for every call.
 *
 * @returns the 32-byte digests, at least one.
 * @throws {@link YagateError} `SIGNATURE_MISSING`; `SIGNATURE_MALFORMED` if there is no valid entry or there are more
 *   than 10 entries.
 */
function parseSignatureHeader(header: string | null | undefined): readonly Uint8Array[] {
  if (header === undefined || header === null || header === "") {
    throw new YagateError("SIGNATURE_MISSING", "expected an X-YA-Signature header");
  }
  if (typeof header !== "string") throw malformed();

  const digests: Uint8Array[] = [];
  let entries = 0;
  let next = 0;
  while (next <= header.length) {
    const comma = header.indexOf(",", next);
    let start = next;
    let end = comma === -1 ? header.length : comma;
    next = end + 1;
    while (start < end && isBlank(header.charCodeAt(start))) start += 1;
    while (end > start && isBlank(header.charCodeAt(end - 1))) end -= 1;
    if (start === end) continue;

    entries += 1;
    if (entries > MAX_ENTRIES) throw malformed();
    if (end - start !== ENTRY_LENGTH || !header.startsWith(LABEL, start)) continue;
    const digest = decodeHexAt(header, start + LABEL.length, DIGEST_BYTES);
    if (digest !== undefined) digests.push(digest);
  }
  if (digests.length === 0) throw malformed();
  return digests;
}

function malformed(): YagateError {
  return new YagateError(
    "SIGNATURE_MALFORMED",
    `expected X-YA-Signature to contain 1 to ${MAX_ENTRIES} entries of ${LABEL} and 64 lower-case hex digits`,
  );
}

/**
 * Checks whether a value is a `Uint8Array`. Unlike `instanceof`, it also recognises one from another realm, such as a
 * test runner or a worker.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}
