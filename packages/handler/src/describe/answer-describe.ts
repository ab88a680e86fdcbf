import {
  type DescribeRequest,
  ERROR_TRAITS,
  type ErrorCode,
  MAX_DESCRIBE_BYTES,
  SIGNATURE_HEADER,
  signManifest,
  verifyDescribe,
  YagateError,
} from "@yagate/protocol/calls";
import { assertAudience, assertFresh } from "../call-checks.ts";
import type { LogFields } from "../logger.ts";
import { parseBody } from "../open-call.ts";
import { toPublicError } from "../public-error.ts";
import type { RawAnswer } from "../raw-call.ts";
import { type HeaderSource, readHeader } from "../read-header.ts";
import type { Settings } from "../settings.ts";
import type { Tool } from "../tool.ts";
import { assertDescribeRequest } from "./describe-guard.ts";
import { toManifest } from "./manifest.ts";

const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * Responds to a describe request with the manifest of the handler's tools. Runs no tool.
 *
 * @returns undefined if the body is not signed as a describe request.
 * @throws {@link YagateError} `PAYLOAD_INVALID` if the body is signed as one, but is not valid.
 */
export async function answerDescribe(
  headers: HeaderSource,
  body: Uint8Array,
  secrets: readonly string[],
  settings: Settings,
): Promise<RawAnswer | undefined> {
  if (body.byteLength > MAX_DESCRIBE_BYTES) return undefined;
  // The gateway signs describe requests only with this header, whichever headers authenticate the handler's calls.
  if (!(await isSigned(readHeader(headers, SIGNATURE_HEADER), body, secrets))) return undefined;
  const request = parseBody(body);
  assertDescribeRequest(request);
  const response = describe(request, settings);
  const bytes = encoder.encode(response.body);
  const signed = { requestId: request.requestId, status: response.status, body: bytes };
  const signature = await signManifest(signed, secrets);
  const responseHeaders = { "content-type": "application/json", [SIGNATURE_HEADER]: signature };
  return { ...response, headers: responseHeaders, byteLength: bytes.byteLength };
}

async function isSigned(header: string | undefined, body: Uint8Array, secrets: readonly string[]): Promise<boolean> {
  try {
    await verifyDescribe(header, body, secrets);
    return true;
  } catch (error) {
    if (YagateError.is(error) && error.code.startsWith("SIGNATURE_")) return false;
    throw error;
  }
}

type Response = Pick<RawAnswer, "status" | "body">;

/** Responds to a request whose signature has been verified. Every response from this point on is signed. */
function describe(request: DescribeRequest, settings: Settings): Response {
  const facts = { requestId: request.requestId };
  try {
    assertFresh(Date.parse(request.timestamp), settings.now(), settings.toleranceSeconds);
    assertAudience(request, settings.audience);
  } catch (error) {
    const { code, message } = toPublicError(error, settings, facts, "describe request");
    return errorResponse(ERROR_TRAITS[code].status, code, message);
  }
  try {
    return { status: 200, body: manifestOf(settings.tools) };
  } catch (error) {
    const message = YagateError.is(error) ? error.message : "the handler cannot describe its tools";
    logFailure(error, message, settings, facts);
    return errorResponse(500, "MANIFEST_INVALID", message);
  }
}

const loggedFailures = /* @__PURE__ */ new WeakMap<ReadonlyMap<string, Tool>, string>();

/** Logs why the tools cannot be described. Gateways repeat their request, but the log has the same reason only once. */
function logFailure(error: unknown, reason: string, { tools, logger }: Settings, facts: LogFields): void {
  if (loggedFailures.get(tools) === reason) return;
  loggedFailures.set(tools, reason);
  // The stack of an expected error leads into the kit, and the reason already names the tool.
  const fields = YagateError.is(error) ? { reason } : { error };
  logger.error("the handler cannot describe its tools", { ...facts, ...fields });
}

function errorResponse(status: number, code: ErrorCode, message: string): Response {
  return { status, body: JSON.stringify({ error: { code, message } }) };
}

const manifests = /* @__PURE__ */ new WeakMap<ReadonlyMap<string, Tool>, string>();

/** Returns the manifest of a handler's tools, which is generated once, because the tools never change. */
function manifestOf(tools: ReadonlyMap<string, Tool>): string {
  const known = manifests.get(tools);
  if (known !== undefined) return known;
  const manifest = JSON.stringify(toManifest(tools.values()));
  manifests.set(tools, manifest);
  return manifest;
}
