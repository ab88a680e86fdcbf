import { isLoopbackHost } from "@yagate/lib/hosts/loopback-host";
import {
  SIGNATURE_HEADER,
  STANDARD_WEBHOOK_HEADERS,
  signAttempt,
  type ToolCallRecord,
  toVisibleText,
  YagateError,
} from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readSecrets } from "../signing-secrets/read-secrets.ts";
import type { SecretSources } from "../signing-secrets/secret-sources.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
/** How much of a response is printed, in characters. */
const MAX_PRINTED = 65_536;

export interface SendCallOptions extends SecretSources {
  readonly to?: string;
  readonly allowRemote?: boolean;
}

/**
 * Fetches a recorded call, signs it here and sends it from this machine. Exit status 1 if the response is no success.
 *
 * @throws YagateError `INVALID_REQUEST` for an invalid URL or a call without arguments, `FORBIDDEN` for another machine.
 */
export async function sendRecordedCall(invocation: Invocation, id: string, options: SendCallOptions): Promise<void> {
  const url = targetOf(options);
  const timeoutMs = invocation.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const { executions, toolCalls } = await invocation.client();
  const call = await toolCalls.get(id);
  const { agentId } = await executions.get(call.executionId);
  const secrets = await readSecrets(options, { terminal: invocation.terminal(), env: process.env });
  const now = Date.now();
  const body = Buffer.from(JSON.stringify(bodyOf(call, { agentId, url, now, timeoutMs })));
  const timestampSeconds = Math.floor(now / 1_000);
  const { signature, webhookSignature } = await signAttempt(
    { id, timestampSeconds, body },
    secrets.map(({ value }) => value),
  );
  const headers = {
    "content-type": "application/json",
    "idempotency-key": id,
    [SIGNATURE_HEADER]: signature,
    [STANDARD_WEBHOOK_HEADERS.id]: id,
    [STANDARD_WEBHOOK_HEADERS.timestamp]: `${timestampSeconds}`,
    [STANDARD_WEBHOOK_HEADERS.signature]: webhookSignature,
  };
  const response = await send(url, { headers, body, timeoutMs });
  invocation.output.result({ url: url.href, ...response }, () => describe(response));
  if (response.status < 200 || response.status > 299) process.exitCode = EXIT.answerIsNo;
}

function targetOf({ to, allowRemote = false }: SendCallOptions): URL {
  const url = to !== undefined && URL.canParse(to) ? new URL(to) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new YagateError("INVALID_REQUEST", "expected --to <url>, such as http://localhost:3000/tools");
  }
  if (allowRemote || isLoopbackHost(url.hostname)) return url;
  throw new YagateError("FORBIDDEN", `--to: ${url.hostname} is not this machine`, {
    hint: "the call really runs the tool: if that is intended there, add --allow-remote",
  });
}

/** The body of a signed call, in the order of the gateway. The record has neither the schema's hash nor the caller. */
function bodyOf(
  { id, executionId, name, parameters, attempts }: ToolCallRecord,
  { agentId, url, now, timeoutMs }: { agentId: string; url: URL; now: number; timeoutMs: number },
) {
  if (parameters === null || typeof parameters !== "object" || Array.isArray(parameters)) {
    throw new YagateError("INVALID_REQUEST", "expected a call whose arguments are an object");
  }
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

async function send(
  url: URL,
  { headers, body, timeoutMs }: { headers: Record<string, string>; body: Uint8Array; timeoutMs: number },
): Promise<Response> {
  const startedAt = performance.now();
  try {
    // A redirect could lead away from this machine.
    const response = await fetch(url, {
      ...{ method: "POST", headers, body: new Uint8Array(body), redirect: "manual" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, durationMs: performance.now() - startedAt, body: text };
  } catch (error) {
    throw new YagateError("CONNECTION_FAILED", `no response from ${url.origin} within ${timeoutMs} ms`, {
      cause: error,
      hint: "check that the handler runs at this URL",
    });
  }
}

function describe({ status, durationMs, body }: Response): string {
  return `HTTP ${status}, ${Math.round(durationMs)} ms\n\n${toVisibleText(body.slice(0, MAX_PRINTED))}`;
}
