import { secretFingerprint, YagateError } from "@yagate/protocol/calls";
import type { LogFields } from "./logger.ts";
import { TOOL_CALL_ID } from "./payload-guard.ts";
import type { RawCall } from "./raw-call.ts";
import { readHeader } from "./read-header.ts";
import type { Settings } from "./settings.ts";

/** What is known about a rejected call. */
export interface SeenCall {
  readonly body?: Uint8Array;
  readonly secrets?: readonly string[];
}

/**
 * Maximum size of a body that is parsed for the log. An unverified sender may have sent the body, so larger ones are
 * not parsed.
 */
const MAX_PARSED_BYTES = 65_536;

const TOOL_NAME = /^[\w.-]{1,64}$/;

/**
 * Returns the log fields for a rejected call, except its code: the call that the sender claims to send, and the secrets
 * that did not match. The values are not verified, so only those that look like a name or an id are included.
 */
export async function describeRefusal(
  error: unknown,
  { headers }: RawCall,
  { body, secrets }: SeenCall,
  settings: Settings,
): Promise<LogFields> {
  const claimed = body === undefined ? {} : claimsOf(body);
  const [onlyTool] = settings.tools.size === 1 ? settings.tools.keys() : [];
  const call = {
    ...named("tool", matching(TOOL_NAME, claimed["name"]) ?? onlyTool),
    ...named("toolCallId", matching(TOOL_CALL_ID, claimed["toolCallId"] ?? readHeader(headers, "idempotency-key"))),
  };
  if (!YagateError.is(error) || error.code !== "SIGNATURE_MISMATCH" || !body || !secrets) return call;
  const secretsTried = await Promise.all(secrets.map(secretFingerprint));
  const likelyCause = await settings.aids?.explainMismatch(headers, body, secrets, settings.signatureScheme);
  return { ...call, secretsTried, ...named("likelyCause", likelyCause) };
}

function claimsOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  if (body.byteLength > MAX_PARSED_BYTES) return {};
  try {
    return Object(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return {};
  }
}

function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

function named(name: string, value: string | undefined): LogFields {
  return value === undefined ? {} : { [name]: value };
}
