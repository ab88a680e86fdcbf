import { newId } from "@yagate/lib/ids/ids";
import {
  type JsonObject,
  SIGNATURE_HEADER,
  type ToolCall,
  toolNameSchema,
  toVisibleText,
  verifyAnswerSignature,
  YagateError,
} from "@yagate/protocol";
import { durationOf } from "../duration.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { handlerUrlOf } from "../signed-calls/handler-url.ts";
import {
  type CallResponse,
  isSuccess,
  postCall,
  type SignedRequest,
  signedRequest,
} from "../signed-calls/post-call.ts";
import { readSecrets } from "../signing-secrets/read-secrets.ts";
import type { SecretSources } from "../signing-secrets/secret-sources.ts";
import { wholeNumberOf } from "../whole-number.ts";
import { parametersOf } from "./parameters.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMES = 1_000;
/** How much of a response is printed, in characters. */
const MAX_PRINTED = 65_536;

export interface TriggerOptions extends SecretSources {
  readonly to?: string;
  readonly allowRemote?: boolean;
  readonly param?: readonly string[];
  readonly body?: string;
  readonly attempt?: string;
  readonly age?: string;
  readonly tamper?: boolean;
  readonly times?: string;
}

/**
 * Signs one call and sends it to a handler, without a gateway. The exit status is 1 if a response is not a success.
 *
 * @throws YagateError `INVALID_REQUEST` for an invalid option, `FORBIDDEN` for another machine, `CONNECTION_FAILED`
 *   without a response.
 */
export async function trigger(invocation: Invocation, tool: string, options: TriggerOptions): Promise<void> {
  const url = handlerUrlOf(options.to, "--to", options.allowRemote);
  const times = options.times === undefined ? 1 : wholeNumberOf(options.times, "--times", { min: 1, max: MAX_TIMES });
  const timeoutMs = invocation.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const call = callOf(tool, await parametersOf(options), { ...options, url, timeoutMs });
  const secrets = await readSecrets(options, { terminal: invocation.terminal(), env: process.env });
  const values = secrets.map(({ value }) => value);
  const signed = await signedRequest(call, values);
  const request = options.tamper === true ? tampered(signed) : signed;
  for (let sent = 0; sent < times; sent += 1) {
    const response = await postCall(url, request, timeoutMs);
    const signature = await signatureOf(call, response, values);
    const { status, durationMs } = response;
    const body = response.body.toString("utf8");
    const entry = { toolCallId: call.toolCallId, attempt: call.attempt, url: url.href, status, durationMs, signature };
    invocation.output.line({ ...entry, body }, () => describe(entry, body));
    if (!isSuccess(response)) process.exitCode = EXIT.answerIsNo;
  }
}

interface CallSettings extends Pick<TriggerOptions, "attempt" | "age"> {
  readonly url: URL;
  readonly timeoutMs: number;
}

/** The body of a signed call, with its fields in the gateway's order. */
function callOf(tool: string, parameters: JsonObject, { attempt, age, url, timeoutMs }: CallSettings): ToolCall {
  if (!toolNameSchema.safeParse(tool).success) {
    throw new YagateError("INVALID_REQUEST", `expected the name of a tool, such as lookup_order, but got ${tool}`);
  }
  const now = Date.now() - (age === undefined ? 0 : durationOf(age, "--age"));
  return {
    ...{
      toolCallId: newId("toolCall"),
      agentId: newId("agent"),
      executionId: newId("execution"),
      name: tool,
      parameters,
    },
    attempt: attempt === undefined ? 1 : wholeNumberOf(attempt, "--attempt", { min: 1 }),
    timestamp: new Date(now).toISOString(),
    deadline: new Date(now + timeoutMs).toISOString(),
    audience: url.href,
  };
}

/**
 * Changes the last character of the tool's name after the signature: the body stays JSON, and a verifier rejects it.
 */
function tampered({ headers, body }: SignedRequest): SignedRequest {
  const text = body.toString("utf8");
  return { headers, body: Buffer.from(text.replace(/"name":"([^"]*)[^"]"/, '"name":"$1~"')) };
}

type ResponseSignature = "valid" | "missing" | "invalid";

async function signatureOf(
  { toolCallId }: ToolCall,
  { headers, status, body }: CallResponse,
  secrets: readonly string[],
): Promise<ResponseSignature> {
  const header = headers.get(SIGNATURE_HEADER);
  if (header === null) return "missing";
  try {
    await verifyAnswerSignature(header, { toolCallId, status, body }, secrets);
    return "valid";
  } catch (error) {
    if (YagateError.is(error)) return "invalid";
    throw error;
  }
}

const SIGNATURES: Readonly<Record<ResponseSignature, string>> = {
  valid: "the response is signed",
  missing: "the response is not signed",
  invalid: "the signature of the response is invalid",
};

function describe(
  {
    toolCallId,
    attempt,
    status,
    durationMs,
    signature,
  }: { toolCallId: string; attempt: number; status: number; durationMs: number; signature: ResponseSignature },
  body: string,
): string {
  const head = `${toolCallId}, attempt ${attempt}: HTTP ${status}, ${Math.round(durationMs)} ms; ${SIGNATURES[signature]}`;
  return `${head}\n${toVisibleText(body.slice(0, MAX_PRINTED))}`;
}
