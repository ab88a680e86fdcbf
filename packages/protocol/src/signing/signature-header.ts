import { YagateError } from "../errors/yagate-error.ts";
import { decodeHexAt } from "./hex.ts";

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
export function formatSignatureHeader(digests: readonly string[]): string {
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
export function parseSignatureHeader(header: string | null | undefined): readonly Uint8Array[] {
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
