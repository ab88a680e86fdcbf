import { decodeUtf8, readResponseJson } from "@yagate/calls/read-response";
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
import type { DispatcherOptions } from "../port.ts";
import { answerErrorOf, handlerFailure, redactSecrets } from "../response.ts";

/** A callback as the gateway received it, with the call that it claims to belong to. */
export interface ReceivedCallback {
  readonly workspaceId: string;
  readonly toolCallId: string;
  readonly tool: HandlerToolDefinition;
  /** The token that authorised the callback. The recorded body must not contain it. */
  readonly token: string;
  /** Value of the header `X-YA-Signature`. */
  readonly signature: string | undefined;
  /** The exact bytes of the body. */
  readonly body: Uint8Array;
}

/**
 * Creates the reader of callbacks. It checks the signature and then parses the JSON, as for a response.
 *
 * The reader throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`, `MALFORMED_JSON` or
 * `INVALID_REQUEST`.
 */
export function createCallbackReader({
  signingSecrets,
  redactionOf,
}: Pick<DispatcherOptions, "signingSecrets"> & {
  /**
   * Returns the redaction that removes the secrets of a tool's headers from a callback; undefined if the tool sends
   * none.
   */
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
 * Checks the signature of a callback. A signature must be valid if present, and a tool may require one.
 *
 * @param header - value of the callback's `X-YA-Signature`.
 * @param secrets - the tool's live signing secrets; empty if they were deleted.
 * @throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED` or `SIGNATURE_MISMATCH`.
 */
async function assertCallbackSignature(
  header: string | undefined,
  tool: Pick<HandlerToolDefinition, "requireSignedAnswer">,
  callback: SignedCallback,
  secrets: readonly string[],
): Promise<void> {
  if (header === undefined) {
    if (tool.requireSignedAnswer !== true) return;
    throw new YagateError("SIGNATURE_MISSING", "callbacks of this tool must be signed", { hint: SIGNATURE_HINT });
  }
  if (secrets.length === 0) {
    throw new YagateError("SIGNATURE_MISMATCH", "the tool's signing secret no longer exists");
  }
  await verifyCallbackSignature(header, callback, secrets);
}

const SIGNATURE_HINT = "sign callback.<toolCallId>. followed by the body, and send the signature as X-YA-Signature";

/**
 * Reads the body of a callback like that of a response, with the same JSON format and the same limits.
 *
 * @param redact - removes secrets from the text.
 * @throws YagateError `MALFORMED_JSON` or `INVALID_REQUEST`. After an error, nothing is recorded, because the sender
 *   can correct the body.
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
  if (error.kind === "malformed") throw refused(`${error.field} does not have the expected form`);
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
  return new YagateError(code, `the callback can't be used: ${problem}`, {
    hint: 'send {"result": …} or {"error": {"code", "message"}}',
  });
}
