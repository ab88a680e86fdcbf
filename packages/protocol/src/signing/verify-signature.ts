import { verifyText } from "./signed-text.ts";

/**
 * Checks the signature of a tool call. It says nothing about the call's age: the timestamp is in the body.
 *
 * Every secret is compared with every entry in constant time. The size of the body is the caller's to limit, before.
 *
 * @param header - the value of `X-YA-Signature`, as received.
 * @param body - the exact bytes received.
 * @param secrets - the signing secrets that are accepted (`whsec_…`), at least one.
 * @throws {@link YagateError} `SECRET_INVALID` (none, or any one that is not well formed, even beside a good one),
 * `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`, `BODY_ALREADY_PARSED` (not bytes).
 */
export function verifySignature(
  header: string | null | undefined,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<void> {
  return verifyText(header, { prefix: "", body }, secrets);
}
