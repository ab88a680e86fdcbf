import { verifyText } from "./signed-text.ts";

/**
 * Verifies the signature of a tool call. It does not check the age of the call, because the timestamp is in the body.
 *
 * Every secret is compared with every entry in constant time. Limit the size of the body before you call this function.
 *
 * @param header - the value of `X-YA-Signature`, as received.
 * @param body - the exact bytes received.
 * @param secrets - the accepted signing secrets (`whsec_…`), at least one.
 * @throws {@link YagateError} `SECRET_INVALID` if there is no secret or any of them is malformed; `SIGNATURE_MISSING`,
 *   `SIGNATURE_MALFORMED` or `SIGNATURE_MISMATCH`; `BODY_ALREADY_PARSED` if the body is not bytes.
 */
export async function verifySignature(
  header: string | null | undefined,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<void> {
  const pending = verifyText(header, { prefix: "", body }, secrets);
  if (pending !== undefined) await pending;
}
