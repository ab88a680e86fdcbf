import {
  type JsonObject,
  SIGNATURE_HEADER,
  STANDARD_WEBHOOK_HEADERS,
  sign,
  signStandardWebhook,
  type ToolCall,
} from "@yagate/protocol/calls";

const CALLBACK_LIFETIME_MS = 86_400_000;

/** A call for a test. All fields except the first three have defaults that a handler accepts. */
export interface SignedCallOptions {
  /** The signing secret of the handler under test (`whsec_…`). */
  readonly secret: string;
  /** The tool's name. */
  readonly name: string;
  readonly parameters: JsonObject;
  /** The URL of the request. Default `https://handler.test/`. */
  readonly url?: string | undefined;
  /** Default: a new id. To test a retry or a duplicate, pass the same id again. */
  readonly toolCallId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly executionId?: string | undefined;
  /** The number of the attempt. Default 1. */
  readonly attempt?: number | undefined;
  /** When the attempt was signed, in ms since the epoch. Default: the current time. */
  readonly timestampMs?: number | undefined;
  /** Time limit of the attempt in ms. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  readonly caller?: JsonObject | undefined;
  readonly audience?: string | undefined;
  readonly schemaHash?: string | undefined;
  /** Makes this a call to an `async` tool. By default, `expiresAt` is 24 hours after the timestamp. */
  readonly callback?: { readonly url: string; readonly token: string; readonly expiresAt?: string } | undefined;
  /** Additional fields, or other values for the fields above, to test how a handler treats an invalid call. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** The parts of a signed call, for tests that build their own requests. */
export interface SignedCallParts {
  readonly url: string;
  readonly toolCallId: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that were signed. */
  readonly body: ReturnType<InstanceType<typeof TextEncoder>["encode"]>;
}

/**
 * Signs a call as the gateway would.
 *
 * @returns a request for a Fetch handler.
 * @throws {@link YagateError} `SECRET_INVALID`.
 */
export async function signedCall(options: SignedCallOptions): Promise<Request> {
  const { url, headers, body } = await signedCallParts(options);
  return new Request(url, { method: "POST", headers, body });
}

/**
 * Signs a call as the gateway would, and returns its URL, headers and bytes.
 *
 * @throws {@link YagateError} `SECRET_INVALID`.
 */
export async function signedCallParts(options: SignedCallOptions): Promise<SignedCallParts> {
  const { secret, url = "https://handler.test/", toolCallId = newId("tc") } = options;
  const timestampMs = options.timestampMs ?? Date.now();
  const body = new TextEncoder().encode(
    JSON.stringify({ ...toCall(options, toolCallId, timestampMs), ...options.fields }),
  );
  const timestampSeconds = Math.floor(timestampMs / 1000);
  const webhook = { id: toolCallId, timestampSeconds, body };
  return {
    url,
    toolCallId,
    headers: {
      "content-type": "application/json",
      [SIGNATURE_HEADER]: await sign(body, [secret]),
      "idempotency-key": toolCallId,
      [STANDARD_WEBHOOK_HEADERS.id]: toolCallId,
      [STANDARD_WEBHOOK_HEADERS.timestamp]: String(timestampSeconds),
      [STANDARD_WEBHOOK_HEADERS.signature]: await signStandardWebhook(webhook, [secret]),
    },
    body,
  };
}

function toCall(options: SignedCallOptions, toolCallId: string, timestampMs: number): ToolCall {
  const { name, parameters, agentId = newId("agt"), executionId = newId("exec"), attempt = 1 } = options;
  const { timeoutMs = 10_000, caller, audience, schemaHash, callback } = options;
  return {
    toolCallId,
    agentId,
    executionId,
    name,
    parameters,
    attempt,
    timestamp: new Date(timestampMs).toISOString(),
    deadline: new Date(timestampMs + timeoutMs).toISOString(),
    ...(schemaHash !== undefined && { schemaHash }),
    ...(audience !== undefined && { audience }),
    ...(caller !== undefined && { caller }),
    ...(callback !== undefined && {
      callback: { expiresAt: new Date(timestampMs + CALLBACK_LIFETIME_MS).toISOString(), ...callback },
    }),
  };
}

function newId(prefix: string): string {
  return `${prefix}_test_${crypto.randomUUID().replaceAll("-", "")}`;
}
