import type { Redaction } from "@yagate/lib/redaction/redaction";
import { type HandlerError, type HandlerToolDefinition, type JsonValue, YagateError } from "@yagate/protocol";
import type { DispatcherOptions } from "../dispatcher-options.ts";
import { redactSecrets } from "../request/redact-secrets.ts";
import { readCallbackBody } from "./callback-body.ts";
import { assertCallbackSignature } from "./callback-signature.ts";

/** An outcome as it was brought, and the call that it is said to be of. */
export interface BroughtOutcome {
  readonly workspaceId: string;
  readonly toolCallId: string;
  readonly tool: HandlerToolDefinition;
  /** The one that it was brought with, which nobody may read in it. */
  readonly token: string;
  /** `X-YA-Signature`. */
  readonly signature: string | undefined;
  /** The exact bytes. */
  readonly body: Uint8Array;
}

/**
 * Makes what reads outcomes of asynchronous calls: the signature, then the JSON, as of an answer.
 *
 * The reader throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`, `MALFORMED_JSON`,
 * `INVALID_REQUEST`.
 */
export function createCallbackReader({
  signingSecrets,
  redactionOf,
}: Pick<DispatcherOptions, "signingSecrets"> & {
  /** Takes the secrets of a tool's headers out of what is brought; undefined: it sends none. */
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
  }: BroughtOutcome): Promise<{ readonly result: JsonValue } | { readonly error: HandlerError }> => {
    const secrets = await liveSecrets(workspaceId, tool.signingSecret ?? "default");
    await assertCallbackSignature(signature, tool, { toolCallId, body }, secrets);
    const redaction = await redactionOf?.(workspaceId, tool);
    return readCallbackBody(body, (text) => {
      const readable = redactSecrets(text, [...secrets, token]);
      return redaction === undefined ? readable : redaction.text(readable);
    });
  };
}
