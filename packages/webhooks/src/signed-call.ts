import { createHash } from "node:crypto";
import { attemptTrace } from "@yagate/calls/attempt-trace";
import type { Rendering, ToolCall } from "@yagate/calls/port";
import { REDACTED, recordMessage } from "@yagate/calls/send-call";
import type { TraceContext } from "@yagate/lib/http/trace-context";
import { createTimestampFormat } from "@yagate/lib/text/timestamp-format";
import {
  type AttemptSignatures,
  type JsonObject,
  jsonObjectSchema,
  type RecordedMessage,
  STANDARD_WEBHOOK_HEADERS,
  schemaHash,
  signAttempt,
} from "@yagate/protocol";
import type { Attempt, CallbackTicket, OpenedHeaders, Webhook } from "./port.ts";

const SIGNATURE = "X-YA-Signature";

/** Fields of the body that differ between attempts. */
const FIELDS_OF_ATTEMPT: ReadonlySet<string> = new Set(["attempt", "timestamp", "deadline", "callback"]);

/** Headers that differ between attempts. */
const HEADERS_OF_ATTEMPT: ReadonlySet<string> = new Set([
  SIGNATURE,
  STANDARD_WEBHOOK_HEADERS.signature,
  STANDARD_WEBHOOK_HEADERS.timestamp,
  "traceparent",
]);

/**
 * Name of the trace header that is passed on unchanged. The hash of a call does not cover it, because it says nothing
 * about the call.
 */
const TRACE_STATE = "tracestate";

/** What {@link signCall} needs in addition to the call: secrets, time, callback and additional headers. */
interface SigningOptions {
  /** The tool's live signing secrets, newest first. */
  readonly secrets: readonly string[];
  /** Time of the signature, in ms since the epoch. */
  readonly timestamp: number;
  /** The callback ticket of an asynchronous call. */
  readonly ticket?: CallbackTicket | undefined;
  /** Whether the gateway records its own spans; default false. */
  readonly isTraceRecorded?: boolean | undefined;
  /** The headers of the tool's author, with their secrets. */
  readonly added?: OpenedHeaders | undefined;
}

/** One attempt, ready to be sent. */
export interface SignedCall {
  readonly text: string;
  /** The text in UTF-8: the exact bytes that are signed. */
  readonly body: Uint8Array;
  /** The headers, with `***NAME***` instead of each secret in `secretHeaders`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with secrets, which replace those of the same names when the call is sent. They must not be stored. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** The token in the text that authorises the callback of an asynchronous call. Only the handler may read it. */
  readonly callbackToken?: string;
}

/**
 * Builds and signs one attempt. Returns a promise only if the hash of the tool's parameters has to be computed first.
 *
 * @throws YagateError `SECRET_INVALID` or `BODY_TOO_LARGE`.
 */
export function signCall(attempt: Attempt, options: SigningOptions): SignedCall | Promise<SignedCall> {
  const { parameters } = attempt.webhook.tool;
  const known = hashes.get(parameters);
  if (known !== undefined) return buildCall(attempt, known, options);
  return parametersHash(parameters).then((schemaHash) => buildCall(attempt, schemaHash, options));
}

function buildCall(
  { call, webhook, context: { deadline, callback } }: Attempt,
  schemaHash: string,
  { secrets, timestamp, ticket, isTraceRecorded = false, added }: SigningOptions,
): SignedCall | Promise<SignedCall> {
  const { toolCallId, attempt } = call;
  const isAsync = ticket !== undefined && callback !== undefined;
  const text = callBody(call, webhook, {
    schemaHash,
    attempt,
    deadline,
    timestamp,
    ...(isAsync ? { callback: { ...ticket, expiresAt: callback.expiresAt } } : {}),
  });
  const body = Buffer.from(text);
  const timestampSeconds = Math.floor(timestamp / 1_000);
  const toSignedCall = (signatures: AttemptSignatures): SignedCall => ({
    text,
    body,
    ...(isAsync ? { callbackToken: ticket.token } : {}),
    ...(added === undefined ? {} : { secretHeaders: added.values }),
    headers: callHeaders(toolCallId, webhook, {
      signatures,
      timestamp: String(timestampSeconds),
      trace: attemptTrace(call, isTraceRecorded),
    }),
  });
  const signatures = signAttempt({ id: toolCallId, timestampSeconds, body }, secrets);
  return "then" in signatures ? signatures.then(toSignedCall) : toSignedCall(signatures);
}

/** The fields of a body that are taken from neither `ToolCall` nor `Webhook`. */
interface AttemptFields {
  /** Hash of the tool's parameters. */
  readonly schemaHash: string;
  readonly attempt: number;
  /** End of the attempt, in ms since the epoch. */
  readonly deadline: number;
  /** Time at which this attempt is signed, in ms since the epoch. */
  readonly timestamp: number;
  readonly callback?: CallbackTicket & { readonly expiresAt: number };
}

/** Builds the body of a signed call. The same text is signed, sent and recorded. */
function callBody(
  { toolCallId, agentId, executionId, parameters, caller }: ToolCall,
  { tool, isRedelivery }: Webhook,
  { schemaHash, attempt, timestamp, deadline, callback }: AttemptFields,
): string {
  return JSON.stringify({
    toolCallId,
    agentId,
    executionId,
    name: tool.name,
    parameters,
    attempt,
    timestamp: formatTimestamp(timestamp),
    deadline: formatDeadline(deadline),
    schemaHash,
    audience: tool.handler,
    caller,
    redelivery: isRedelivery,
    ...(callback === undefined
      ? {}
      : { callback: { ...callback, expiresAt: new Date(callback.expiresAt).toISOString() } }),
  });
}

const formatTimestamp = createTimestampFormat();
const formatDeadline = createTimestampFormat();

const hashes = new WeakMap<JsonObject, string>();

/** Hashes each schema once: a version of an agent keeps the same definition objects. */
async function parametersHash(parameters: JsonObject): Promise<string> {
  const known = hashes.get(parameters);
  if (known !== undefined) return known;
  const hash = await schemaHash(parameters);
  hashes.set(parameters, hash);
  return hash;
}

/** Returns the headers of one attempt, in the order in which they are sent. */
function callHeaders(
  toolCallId: string,
  { addedHeaders }: Webhook,
  ofAttempt: {
    readonly signatures: AttemptSignatures;
    readonly timestamp: string;
    readonly trace: TraceContext;
  },
): Readonly<Record<string, string>> {
  return {
    ...addedHeaders?.shown,
    "Content-Type": "application/json",
    [SIGNATURE]: ofAttempt.signatures.signature,
    "Idempotency-Key": toolCallId,
    [STANDARD_WEBHOOK_HEADERS.id]: toolCallId,
    [STANDARD_WEBHOOK_HEADERS.timestamp]: ofAttempt.timestamp,
    [STANDARD_WEBHOOK_HEADERS.signature]: ofAttempt.signatures.webhookSignature,
    ...ofAttempt.trace,
  };
}

/**
 * Returns the record of a signed call, without its signatures and its callback token. With those, a reader could send
 * the call or its callback.
 */
export function recordRequest({ headers, text, body, callbackToken }: SignedCall): RecordedMessage {
  const shown = { ...headers, [SIGNATURE]: REDACTED, [STANDARD_WEBHOOK_HEADERS.signature]: REDACTED };
  const readable = callbackToken === undefined ? text : text.replaceAll(callbackToken, REDACTED);
  return recordMessage(shown, readable, body.byteLength);
}

const MADE_WHEN_SENT = "[made when the call is sent]";

/**
 * Returns the request that an attempt of this call would send, with placeholders for values that don't exist yet.
 * Nothing is signed or sent.
 */
export async function renderCall(call: ToolCall, webhook: Webhook): Promise<Rendering> {
  const schemaHash = await parametersHash(webhook.tool.parameters);
  const text = callBody(call, webhook, { schemaHash, attempt: 1, deadline: 0, timestamp: 0 });
  const signingSecret = secretOf(webhook);
  const signed = `[signed with the secret ${signingSecret}]`;
  const headers = callHeaders(call.toolCallId, webhook, {
    signatures: { signature: signed, webhookSignature: signed },
    timestamp: MADE_WHEN_SENT,
    trace: { traceparent: MADE_WHEN_SENT },
  });
  const url = new URL(webhook.tool.handler).href;
  const body = JSON.stringify(lastingFields(text));
  return {
    request: { method: "POST", url, headers: { ...headers }, body, signingSecret },
    hash: hashOfCall(webhook, { text, headers }),
  };
}

/**
 * Returns the hash of a call, which is the same for all of its attempts. It covers the method, the URL, the headers,
 * the body, the name of the signing secret and the definition of the tool, but nothing that differs between attempts.
 */
export function hashOfCall(webhook: Webhook, { text, headers }: Pick<SignedCall, "text" | "headers">): string {
  const lasting = Object.entries(headers)
    .filter(([name]) => name !== TRACE_STATE)
    .map(([name, value]) => [name, HEADERS_OF_ATTEMPT.has(name) ? null : value]);
  const { tool } = webhook;
  // Headers are lists because their order is fixed. The body keeps its order, because it is hashed as it is sent.
  const rendered = JSON.stringify(["POST", tool.handler, lasting, lastingFields(text), secretOf(webhook), tool]);
  return `sha256:${createHash("sha256").update(rendered).digest("hex")}`;
}

function secretOf({ tool }: Webhook): string {
  return tool.signingSecret ?? "default";
}

function lastingFields(text: string) {
  const fields = Object.entries(jsonObjectSchema.parse(JSON.parse(text)));
  return Object.fromEntries(fields.filter(([name]) => !FIELDS_OF_ATTEMPT.has(name)));
}
