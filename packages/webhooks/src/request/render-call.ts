import { createHash } from "node:crypto";
import type { Rendering, ToolCall } from "@yagate/calls/port";
import { jsonObjectSchema } from "@yagate/protocol";
import type { Webhook } from "../port.ts";
import {
  callBody,
  callHeaders,
  FIELDS_OF_ATTEMPT,
  HEADERS_OF_ATTEMPT,
  parametersHash,
  type SignedCall,
  TRACE_STATE,
} from "./signed-call.ts";

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
