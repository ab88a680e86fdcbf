import { SIGNATURE_HEADER, STANDARD_WEBHOOK_HEADERS, signAttempt, YagateError } from "@yagate/protocol";
import { whyNoResponse } from "../no-response.ts";

/** The response of a handler. */
export interface CallResponse {
  readonly status: number;
  readonly durationMs: number;
  readonly headers: Headers;
  readonly body: Buffer<ArrayBuffer>;
}

/** A signed call. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

/** Signs one attempt of a call with the headers that a gateway sends. */
export async function signedRequest(
  call: { readonly toolCallId: string; readonly timestamp: string },
  secrets: readonly string[],
): Promise<SignedRequest> {
  const { toolCallId: id } = call;
  const body = Buffer.from(JSON.stringify(call));
  const timestampSeconds = Math.floor(Date.parse(call.timestamp) / 1_000);
  const { signature, webhookSignature } = await signAttempt({ id, timestampSeconds, body }, secrets);
  return {
    body,
    headers: {
      "content-type": "application/json",
      "idempotency-key": id,
      [SIGNATURE_HEADER]: signature,
      [STANDARD_WEBHOOK_HEADERS.id]: id,
      [STANDARD_WEBHOOK_HEADERS.timestamp]: `${timestampSeconds}`,
      [STANDARD_WEBHOOK_HEADERS.signature]: webhookSignature,
    },
  };
}

/**
 * Sends a signed call. Redirects are not followed, because they could lead away from this machine.
 *
 * @throws YagateError `CONNECTION_FAILED` if there is no complete response in time.
 */
export async function postCall(url: URL, { headers, body }: SignedRequest, timeoutMs: number): Promise<CallResponse> {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      ...{ method: "POST", headers, body, redirect: "manual" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const received = Buffer.from(await response.arrayBuffer());
    const durationMs = performance.now() - startedAt;
    return { status: response.status, durationMs, headers: response.headers, body: received };
  } catch (error) {
    throw new YagateError("CONNECTION_FAILED", whyNoResponse(error, url.origin, timeoutMs), {
      cause: error,
      hint: "check that the handler runs at this URL",
    });
  }
}

export function isSuccess({ status }: CallResponse): boolean {
  return status >= 200 && status <= 299;
}
