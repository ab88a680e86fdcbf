import {
  type HandlerError,
  type JsonValue,
  pendingAnswerSchema,
  SIGNATURE_HEADER,
  toolErrorAnswerSchema,
  toolResultAnswerSchema,
  verifyAnswerSignature,
} from "@yagate/protocol";
import { type SignedCallOptions, signedCallParts } from "./signed-call.ts";

/** A handler's response, as the gateway interprets it. */
export interface ToolAnswer {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The id of the call. Pass it to the next call to test a retry. */
  readonly toolCallId: string;
  /** Whether the response was signed. Responses to calls that fail verification are not signed. */
  readonly isSigned: boolean;
  /** Set if the tool deferred its result to the callback. */
  readonly pending?: true;
  /** What the tool returned; absent if it failed or deferred its result. */
  readonly result?: JsonValue;
  /** Why the tool failed. */
  readonly error?: HandlerError;
}

/**
 * Calls a tool as the gateway would, without a gateway: signs a call, passes it to the handler, verifies the signature
 * of the response and parses it.
 *
 * @param handler - the return value of `createHandler`, or any other function from `Request` to `Response`.
 * @throws {@link YagateError} if the response has an invalid signature; a ZodError if the body of the response is
 *   invalid.
 */
export async function callTool(
  handler: (request: Request) => Response | Promise<Response>,
  options: SignedCallOptions,
): Promise<ToolAnswer> {
  const { url, toolCallId, headers, body } = await signedCallParts(options);
  const response = await handler(new Request(url, { method: "POST", headers, body }));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const signature = response.headers.get(SIGNATURE_HEADER);
  const { status } = response;
  if (signature !== null) await verifyAnswerSignature(signature, { toolCallId, status, body: bytes }, [options.secret]);
  return {
    status,
    toolCallId,
    isSigned: signature !== null,
    ...parseResponse(status, new TextDecoder().decode(bytes)),
  };
}

function parseResponse(status: number, text: string): Pick<ToolAnswer, "pending" | "result" | "error"> {
  const json: unknown = JSON.parse(text);
  if (status === 202) return { pending: pendingAnswerSchema.parse(json).pending };
  const failed = toolErrorAnswerSchema.safeParse(json);
  if (failed.success) return { error: failed.data.error };
  return { result: toolResultAnswerSchema.parse(json).result };
}
