import {
  ERROR_TRAITS,
  type HandlerError,
  SIGNATURE_HEADER,
  signAnswer,
  type ToolCall,
  YagateError,
} from "@yagate/protocol/calls";
import { CallBudget } from "./call-budget.ts";
import { assertAudience, assertFresh } from "./call-checks.ts";
import { describeRefusal, type SeenCall } from "./describe-refusal.ts";
import type { CallOutcome } from "./idempotency/store.ts";
import type { LogFields } from "./logger.ts";
import { openCall } from "./open-call.ts";
import { kitErrorOutcome } from "./outcomes.ts";
import { toPublicError } from "./public-error.ts";
import type { RawAnswer, RawCall } from "./raw-call.ts";
import { readHeader } from "./read-header.ts";
import { runOnce } from "./run-once.ts";
import type { Settings } from "./settings.ts";

const GATEWAY_FIRST_MS = 100;

const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * Responds to any request: verifies the call, runs it at most once and signs the response; or describes the handler's
 * tools. Never rejects.
 */
export async function answerCall(raw: RawCall, settings: Settings): Promise<RawAnswer> {
  if (raw.method !== "POST") return methodNotAllowed();
  let seen: SeenCall = {};
  try {
    assertIdentityEncoding(raw);
    const body = await raw.readBody(settings.maxBodyBytes);
    seen = { body };
    const secrets = await settings.secrets();
    seen = { body, secrets };
    const call = await openCall(raw.headers, body, secrets, settings);
    return await signOutcome(call, await answerOpened(call, raw, settings), secrets);
  } catch (error) {
    return answerUnopened(error, raw, seen, settings);
  }
}

/**
 * Responds to a request that is not a verified call. A describe request also arrives here, because its signature covers
 * a different text from that of a call. Recognising it therefore does not slow calls down.
 */
async function answerUnopened(
  callError: unknown,
  raw: RawCall,
  seen: SeenCall,
  settings: Settings,
): Promise<RawAnswer> {
  let error = callError;
  try {
    const described = await tryDescribe(error, raw, seen, settings);
    if (described !== undefined) return described;
  } catch (describeError) {
    error = describeError;
  }
  // If the log details cannot be determined, the response must still be sent.
  const facts = await describeRefusal(error, raw, seen, settings).catch(() => ({}));
  return refuse(error, settings, facts);
}

async function tryDescribe(error: unknown, { headers }: RawCall, { body, secrets }: SeenCall, settings: Settings) {
  if (!settings.isDescribed || !body || !secrets) return undefined;
  if (!YagateError.is(error) || !error.code.startsWith("SIGNATURE_")) return undefined;
  // Loaded at the first describe request, because most processes never receive one.
  const { answerDescribe } = await import("./describe/answer-describe.ts");
  return answerDescribe(headers, body, secrets, settings);
}

async function signOutcome(
  { toolCallId }: ToolCall,
  { status, body }: CallOutcome,
  secrets: readonly string[],
): Promise<RawAnswer> {
  const bytes = encoder.encode(body);
  const signature = await signAnswer({ toolCallId, status, body: bytes }, secrets);
  const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: signature };
  return { status, headers, body, byteLength: bytes.byteLength };
}

/** Runs a call whose signature has been verified. Every response from this point on is signed. */
async function answerOpened(call: ToolCall, raw: RawCall, settings: Settings): Promise<CallOutcome> {
  try {
    assertFresh(Date.parse(call.timestamp), settings.now(), settings.toleranceSeconds);
    assertAudience(call, settings.audience);
    const budget = new CallBudget(call, raw.arrivedAtMs);
    const outcome = await runOnce(call, { budget, request: raw }, settings);
    if (outcome.status === ERROR_TRAITS.TIMEOUT.status) await leaveFirstWordToGateway();
    return outcome;
  } catch (error) {
    const { code, message } = toPublicError(error, settings, { tool: call.name, toolCallId: call.toolCallId });
    return kitErrorOutcome(call, code, message);
  }
}

/**
 * Waits so that the gateway reports the timeout first. Both sides measure the same time limit, and whichever reports it
 * first decides the outcome; only the gateway knows whether the tool may be called twice. A response that arrives after
 * the gateway's timeout does no harm.
 */
function leaveFirstWordToGateway(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, GATEWAY_FIRST_MS));
}

function assertIdentityEncoding(raw: RawCall): void {
  const encoding = readHeader(raw.headers, "content-encoding");
  if (encoding === undefined || encoding === "" || encoding.toLowerCase() === "identity") return;
  throw new YagateError("PAYLOAD_INVALID", "content-encoding: expected none; the signature covers the bytes as sent");
}

function refuse(error: unknown, settings: Settings, facts: LogFields): RawAnswer {
  const { code, message } = toPublicError(error, settings, facts);
  // The status alone would suggest a retry, which cannot help if the handler is mounted incorrectly.
  const more = code === "BODY_ALREADY_PARSED" ? { retryable: false } : {};
  return unsignedError(ERROR_TRAITS[code].status, { code, message, ...more });
}

function methodNotAllowed(): RawAnswer {
  const answer = unsignedError(405, { code: "METHOD_NOT_ALLOWED", message: "a tool call must be a POST" });
  return { ...answer, headers: { ...answer.headers, allow: "POST" } };
}

function unsignedError(status: number, error: HandlerError): RawAnswer {
  const body = JSON.stringify({ error });
  return { status, headers: { "content-type": "application/json" }, body, byteLength: encoder.encode(body).byteLength };
}
