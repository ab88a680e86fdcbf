import { type ToolCallRecord, toVisibleText } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { handlerUrlOf } from "../signed-calls/handler-url.ts";
import { isSuccess, postCall, signedRequest } from "../signed-calls/post-call.ts";
import { readSecrets } from "../signing-secrets/read-secrets.ts";
import type { SecretSources } from "../signing-secrets/secret-sources.ts";
import { type SentRequest, sentRequestOf } from "./sent-request.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
/** How much of a response is printed, in characters. */
const MAX_PRINTED = 65_536;

const UNRECORDED =
  "The gateway has no stored request for this call, so the command uses the name and the arguments of the model.";

export interface SendCallOptions extends SecretSources {
  readonly to?: string;
  readonly allowRemote?: boolean;
}

/**
 * Fetches a recorded call, signs it here and sends it from this machine. The exit status is 1 if the response is not a
 * success.
 *
 * @throws YagateError `INVALID_REQUEST` for an invalid URL or a call without arguments, `FORBIDDEN` for another
 *   machine.
 */
export async function sendRecordedCall(invocation: Invocation, id: string, options: SendCallOptions): Promise<void> {
  const url = handlerUrlOf(options.to, "--to", options.allowRemote);
  const timeoutMs = invocation.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const client = await invocation.client();
  const call = await client.toolCalls.get(id);
  const { agentId } = await client.executions.get(call.executionId);
  const recorded = await sentRequestOf(call, client);
  const secrets = await readSecrets(options, { terminal: invocation.terminal(), env: process.env });
  const body = bodyOf(call, recorded, { agentId, url, now: Date.now(), timeoutMs });
  const request = await signedRequest(
    body,
    secrets.map(({ value }) => value),
  );
  const response = await postCall(url, request, timeoutMs);
  const { status, durationMs } = response;
  const received = { status, durationMs, body: response.body.toString("utf8") };
  invocation.output.result({ url: url.href, ...received }, () => describe(received));
  if (!recorded.isRecorded) invocation.output.note(UNRECORDED);
  if (!isSuccess(response)) process.exitCode = EXIT.answerIsNo;
}

/**
 * The body of a signed call, with its fields in the gateway's order. The record has neither the schema's hash nor the
 * caller.
 */
function bodyOf(
  { id, executionId, attempts }: ToolCallRecord,
  { name, parameters }: SentRequest,
  { agentId, url, now, timeoutMs }: { agentId: string; url: URL; now: number; timeoutMs: number },
) {
  return {
    ...{ toolCallId: id, agentId, executionId, name, parameters, attempt: attempts.length + 1 },
    timestamp: new Date(now).toISOString(),
    deadline: new Date(now + timeoutMs).toISOString(),
    ...{ audience: url.href, redelivery: true },
  };
}

interface Response {
  readonly status: number;
  readonly durationMs: number;
  readonly body: string;
}

function describe({ status, durationMs, body }: Response): string {
  return `HTTP ${status}, ${Math.round(durationMs)} ms\n\n${toVisibleText(body.slice(0, MAX_PRINTED))}`;
}
