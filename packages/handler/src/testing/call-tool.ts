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

/** A handler's answer, as the gateway would read it. */
export interface ToolAnswer {
  /** HTTP status. */
  readonly status: number;
  /** The id that the call was sent with: give it again to test a retry. */
  readonly toolCallId: string;
  /** Whether the answer was signed. Answers to calls that were not verified are not. */
  readonly isSigned: boolean;
  /** The tool deferred: its result goes to the call's callback. */
  readonly pending?: true;
  /** What the tool returned; absent when it failed or deferred. */
  readonly result?: JsonValue;
  /** Why it failed. */
  readonly error?: HandlerError;
}

/**
 * Calls a tool as the gateway would, without a gateway: signs the call, hands it to the handler, checks the signature
 * of the answer, and parses it.
 *
 * @param handler - what `createHandler` returns, or anything else from `Request` to `Response`.
 * @throws {@link YagateError} when the answer is signed and the signature is wrong; a ZodError when it is no answer.
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
  return { status, toolCallId, isSigned: signature !== null, ...parseAnswer(status, new TextDecoder().decode(bytes)) };
}

function parseAnswer(status: number, text: string): Pick<ToolAnswer, "pending" | "result" | "error"> {
  const json: unknown = JSON.parse(text);
  if (status === 202) return { pending: pendingAnswerSchema.parse(json).pending };
  const failed = toolErrorAnswerSchema.safeParse(json);
  if (failed.success) return { error: failed.data.error };
  return { result: toolResultAnswerSchema.parse(json).result };
}
