import { YagateError } from "../errors/yagate-error.ts";
import type { SignedText } from "./hmac.ts";
import { assertStatus } from "./signed-status.ts";
import { signText, verifyText } from "./signed-text.ts";

/** Everything that the signature of a response to a describe request covers. */
export interface SignedManifest {
  /** The id of the describe request, `dsc_…`. */
  readonly requestId: string;
  /** HTTP status of the response, 100 to 599. */
  readonly status: number;
  /** The exact bytes of the response's body, of any size. */
  readonly body: Uint8Array;
}

// Without dots, which separate the fields of the signed text.
const REQUEST_ID = /^dsc_[A-Za-z0-9_-]+$/;

function textOf({ requestId, status, body }: SignedManifest): SignedText {
  if (typeof requestId !== "string" || !REQUEST_ID.test(requestId)) {
    throw new YagateError(
      "PAYLOAD_INVALID",
      "expected a requestId that starts with dsc_ and otherwise contains only letters, digits, _ and -",
    );
  }
  assertStatus(status);
  return { prefix: `manifest.${requestId}.${status}.`, body };
}

/**
 * Signs a handler's response to a describe request, whether it is a manifest or an error: HMAC-SHA256 over
 * `manifest.<requestId>.<status>.` and the body. The signature is valid for no other response and no call.
 *
 * @param secrets - the handler's signing secrets, newest first, 1 to 8.
 * @returns the value of `X-YA-Signature`.
 * @throws {@link YagateError} `SECRET_INVALID`; `PAYLOAD_INVALID` if the id or the status is invalid or the body is not
 *   bytes.
 */
export async function signManifest(manifest: SignedManifest, secrets: readonly string[]): Promise<string> {
  return signText(textOf(manifest), secrets);
}

/**
 * Verifies the signature of a response to one describe request. Verify it before you read the body.
 *
 * @param header - the response's `X-YA-Signature`.
 * @param manifest - the id of the request, and the status and bytes of the response.
 * @param secrets - the secrets that signed the request (`whsec_…`), at least one.
 * @throws {@link YagateError} `INVALID_RESPONSE_SIGNATURE` if the signature is missing, malformed or does not match,
 *   with the error of `verifySignature` as its cause; `SECRET_INVALID`, `BODY_ALREADY_PARSED`, and `PAYLOAD_INVALID` if
 *   the id or the status is invalid.
 */
export async function verifyManifest(
  header: string | null | undefined,
  manifest: SignedManifest,
  secrets: readonly string[],
): Promise<void> {
  const text = textOf(manifest);
  try {
    await verifyText(header, text, secrets);
  } catch (cause) {
    if (!YagateError.is(cause) || !cause.code.startsWith("SIGNATURE_")) throw cause;
    throw new YagateError(
      "INVALID_RESPONSE_SIGNATURE",
      "expected the handler's manifest to be signed with one of the signing secrets",
      { cause },
    );
  }
}
