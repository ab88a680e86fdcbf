import { randomBytes } from "node:crypto";
import {
  type JsonObject,
  SIGNATURE_HEADER,
  STANDARD_WEBHOOK_HEADERS,
  sign,
  signStandardWebhook,
} from "@yagate/protocol";
import type { Message } from "./wire/exchange.ts";

/** A call with its fields in the gateway's order. */
export type CallFields = Readonly<Record<string, unknown>> & {
  readonly toolCallId: string;
  readonly timestamp: string;
};

/** Properties shared by all calls of a run. */
export interface CallSetting {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly audience: string;
  /** The value of the field `caller`: a response that contains it repeats the payload. */
  readonly canary: string;
}

const BUDGET_MS = 10_000;

/** Creates a call with the current time. */
export function newCall({ name, parameters, audience, canary }: CallSetting, nowMs: number): CallFields {
  return {
    toolCallId: newId("tc"),
    agentId: newId("agt"),
    executionId: newId("exec"),
    name,
    parameters,
    attempt: 1,
    timestamp: new Date(nowMs).toISOString(),
    deadline: new Date(nowMs + BUDGET_MS).toISOString(),
    audience,
    caller: { conformance: canary },
  };
}

export function newId(prefix: string): string {
  return `${prefix}_conformance${randomBytes(10).toString("hex")}`;
}

/** Returns the headers that the gateway sends in addition to the signature. */
export async function unsignedHeaders(
  toolCallId: string,
  body: Uint8Array,
  secret: string,
  nowMs: number,
): Promise<Message["headers"]> {
  const timestampSeconds = Math.floor(nowMs / 1_000);
  const isSmall = body.byteLength <= 1_048_576;
  return [
    ["content-type", "application/json"],
    ["accept-encoding", "identity"],
    ["idempotency-key", toolCallId],
    [STANDARD_WEBHOOK_HEADERS.id, toolCallId],
    [STANDARD_WEBHOOK_HEADERS.timestamp, String(timestampSeconds)],
    ...(isSmall
      ? [
          [
            STANDARD_WEBHOOK_HEADERS.signature,
            await signStandardWebhook({ id: toolCallId, timestampSeconds, body }, [secret]),
          ] as const,
        ]
      : []),
    ["traceparent", `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`],
  ];
}

/** Returns a message with the body and its signature. */
export async function signedMessage(
  toolCallId: string,
  body: Uint8Array,
  secret: string,
  nowMs: number,
): Promise<Message & { readonly body: Uint8Array }> {
  const headers = await unsignedHeaders(toolCallId, body, secret, nowMs);
  return { headers: [...headers, [SIGNATURE_HEADER, await signAny(body, secret)]], body };
}

/** Signs any bytes. `sign` rejects bodies that a gateway would not send. */
export async function signAny(body: Uint8Array, secret: string): Promise<string> {
  if (body.byteLength <= 1_048_576) return sign(body, [secret]);
  const { createHmac } = await import("node:crypto");
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

export function encode(call: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(JSON.stringify(call));
}

/** Returns the message with another value for a header, or without the header. */
export function withHeader<M extends Message>(message: M, name: string, value: string | undefined): M {
  const others = message.headers.filter(([candidate]) => candidate !== name);
  return { ...message, headers: value === undefined ? others : [...others, [name, value] as const] };
}
