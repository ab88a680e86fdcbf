import { type ToolCall, YagateError } from "@yagate/protocol";
import { assertToolCall } from "./payload-guard.ts";
import type { HeaderSource } from "./read-header.ts";
import { type SignatureRules, verifyHeaders } from "./signature-scheme.ts";

// A byte order mark is kept, so JSON.parse rejects it: dropping it would accept two different bodies as equal.
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The checks of a body. */
export interface OpenRules extends SignatureRules {
  readonly maxBodyBytes: number;
}

/**
 * Converts signed bytes to a call. Checks the size, then the signature, and only then UTF-8, JSON and the fields.
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
  const call = parseJson(body);
  assertToolCall(call);
  return call;
}

/** Throws `BODY_TOO_LARGE` for a body, or a declared length, above the limit. */
export function assertSize(bytes: number, maxBodyBytes: number): void {
  if (bytes > maxBodyBytes) throw new YagateError("BODY_TOO_LARGE", `expected a body of at most ${maxBodyBytes} bytes`);
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    // Without a cause: the text of a syntax error quotes the payload.
    throw new YagateError("PAYLOAD_INVALID", "the body: expected JSON in valid UTF-8");
  }
}
