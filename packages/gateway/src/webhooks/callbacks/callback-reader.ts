import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import {
  type HandlerError,
  type HandlerToolDefinition,
  type JsonValue,
  type SignedCallback,
  verifyCallbackSignature,
  YagateError,
} from "@yagate/protocol";
import { decodeUtf8, readResponseJson } from "../../calls/read-response.ts";
import type { DispatcherOptions } from "../dispatcher-options.ts";
import { redactSecrets } from "../request/redact-secrets.ts";
import { answerErrorOf, handlerFailure } from "../response/handler-error.ts";

/** A callback as it was received, and the call that it claims to belong to. */
export interface ReceivedCallback {
  readonly workspaceId: string;
  readonly toolCallId: string;
  readonly tool: HandlerToolDefinition;
  /** The token that authorised it. Its body must not reveal it. */
  readonly token: string;
  /** `X-YA-Signature`. */
  readonly signature: string | undefined;
  /** The exact bytes. */
  readonly body: Uint8Array;
}

/**
 * Creates the reader of callbacks: it checks the signature, then the JSON, as for a response.
 *
 * The reader throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`, `MALFORMED_JSON`,
 * `INVALID_REQUEST`.
 */
export function createCallbackReader({
  signingSecrets,
  redactionOf,
}: Pick<DispatcherOptions, "signingSecrets"> & {
  /** Removes the secrets of a tool's headers from a callback; undefined: the tool sends none. */
  readonly redactionOf?: (workspaceId: string, tool: HandlerToolDefinition) => Promise<Redaction | undefined>;
}) {
  async function liveSecrets(workspaceId: string, name: string): Promise<readonly string[]> {
    try {
      return await signingSecrets.forSigning(workspaceId, name);
    } catch (error) {
      if (YagateError.is(error) && error.code === "NOT_FOUND") return [];
      throw error;
    }
  }

  return async ({
    workspaceId,
    toolCallId,
    tool,
    token,
    signature,
    body,
  }: ReceivedCallback): Promise<{ readonly result: JsonValue } | { readonly error: HandlerError }> => {
    const secrets = await liveSecrets(workspaceId, tool.signingSecret ?? "default");
    await assertCallbackSignature(signature, tool, { toolCallId, body }, secrets);
    const redaction = await redactionOf?.(workspaceId, tool);
    return readCallbackBody(body, (text) => {
      const readable = redactSecrets(text, [...secrets, token]);
      return redaction === undefined ? readable : redaction.text(readable);
    });
  };
}

/**
 * Checks the signature of a callback: it must be valid if present, and a tool may require one.
 *
 * @param header - its `X-YA-Signature`.
 * @param secrets - the tool's live signing secrets; none if they were deleted.
 * @throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`.
 */
async function assertCallbackSignature(
  header: string | undefined,
  tool: Pick<HandlerToolDefinition, "requireSignedAnswer">,
  callback: SignedCallback,
  secrets: readonly string[],
): Promise<void> {
  if (header === undefined) {
    if (tool.requireSignedAnswer !== true) return;
    throw new YagateError("SIGNATURE_MISSING", "this tool's outcomes must be signed", { hint: SIGNATURE_HINT });
  }
  if (secrets.length === 0) {
    throw new YagateError("SIGNATURE_MISMATCH", "the tool's signing secret does not exist any more");
  }
  await verifyCallbackSignature(header, callback, secrets);
}

const SIGNATURE_HINT = "send X-YA-Signature over callback.<toolCallId>. and the body";

/**
 * Reads the body of a callback like that of a response: the same JSON, the same limits.
 *
 * @param redact - removes secrets from its text.
 * @throws YagateError `MALFORMED_JSON`, `INVALID_REQUEST`: the sender can correct it, so it changes nothing.
 */
function readCallbackBody(
  body: Uint8Array,
  redact: (text: string) => string,
): { readonly result: JsonValue } | { readonly error: HandlerError } {
  const text = decodeUtf8(body);
  const json = readResponseJson(text === undefined ? undefined : redact(text));
  if (!json.isReadable) throw refused(json.problem, json.isJson ? "INVALID_REQUEST" : "MALFORMED_JSON");
  const { value } = json;
  if (!isJsonObject(value)) throw refused("the body is not an object");
  const error = answerErrorOf(value);
  const result = Object.hasOwn(value, "result") ? value["result"] : undefined;
  if (error.kind === "absent") {
    if (result === undefined) throw refused("the body has neither a result nor an error");
    return { result };
  }
  if (result !== undefined) throw refused("the body has both a result and an error");
  if (error.kind === "malformed") throw refused(`${error.field} is not as expected`);
  return { error: bounded(error.error) };
}

function bounded(error: HandlerError): HandlerError {
  const { code, message, hint, details } = handlerFailure(error, false);
  return {
    code,
    message,
    ...defined({ hint, details, retryable: error.retryable }),
  };
}

function refused(problem: string, code: "INVALID_REQUEST" | "MALFORMED_JSON" = "INVALID_REQUEST"): YagateError {
  return new YagateError(code, `the outcome can't be used: ${problem}`, {
    hint: 'bring {"result": …} or {"error": {"code", "message"}}',
  });
}
