import { type ToolCall, YagateError } from "@yagate/protocol/calls";
import { assertToolCall } from "./payload-guard.ts";
import type { HeaderSource } from "./read-header.ts";
import { type SignatureRules, verifyHeaders } from "./signature-scheme.ts";

// Keeps a byte order mark, which JSON.parse then rejects. If it were dropped, two different bodies would be equal.
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The rules by which a signed body is checked. */
export interface OpenRules extends SignatureRules {
  readonly maxBodyBytes: number;
}

/**
 * Verifies signed bytes and parses them into a call. Checks the size first, then the signature, and only then UTF-8,
 * JSON and the fields.
 *
 * @throws {@link YagateError} `BODY_TOO_LARGE`, the codes of {@link verifyHeaders}, `PAYLOAD_INVALID`.
 */
export async function openCall(
  headers: HeaderSource,
  body: Uint8Array,
  secrets: readonly string[],
  rules: OpenRules,
): Promise<ToolCall> {
  assertSize(body.byteLength, rules.maxBodyBytes);
  await verifyHeaders(headers, body, secrets, rules);
  const call = parseBody(body);
  assertToolCall(call);
  return call;
}

/** Throws `BODY_TOO_LARGE` if the body, or its declared length, exceeds the limit. */
export function assertSize(bytes: number, maxBodyBytes: number): void {
  if (bytes > maxBodyBytes) throw new YagateError("BODY_TOO_LARGE", `expected a body of at most ${maxBodyBytes} bytes`);
}

/** Parses JSON in UTF-8. Throws `PAYLOAD_INVALID`. */
export function parseBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    // The error has no cause, because the message of a syntax error quotes the payload.
    throw new YagateError("PAYLOAD_INVALID", "the body: expected JSON in valid UTF-8");
  }
}
