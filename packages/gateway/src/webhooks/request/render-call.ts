import { createHash } from "node:crypto";
import { jsonObjectSchema } from "@yagate/protocol";
import type { CallContent, RenderedCall } from "../port.ts";
import { callBody, FIELDS_OF_ATTEMPT } from "./call-body.ts";
import { callHeaders, HEADERS_OF_ATTEMPT, TRACE_STATE } from "./call-headers.ts";
import { parametersHash } from "./parameters-hash.ts";
import type { SignedCall } from "./signed-call.ts";

const MADE_WHEN_SENT = "[made when the call is sent]";

/** What an attempt of this call would send, with words for what is only known then. Nothing is signed or sent. */
export async function renderCall(call: CallContent): Promise<RenderedCall> {
  const { tool, toolCallId } = call;
  const schemaHash = await parametersHash(tool.parameters);
  const text = callBody(call, { number: 1, deadline: 0, timestamp: 0, schemaHash });
  const signed = `[signed with the secret ${secretOf(call)}]`;
  const headers = {
    ...call.addedHeaders?.shown,
    ...callHeaders(toolCallId, {
      signature: signed,
      webhookSignature: signed,
      timestamp: MADE_WHEN_SENT,
      trace: { traceparent: MADE_WHEN_SENT },
    }),
  };
  return {
    request: {
      method: "POST",
      url: new URL(tool.handler).href,
      headers: { ...headers },
      body: JSON.stringify(lastingFields(text)),
      signingSecret: secretOf(call),
    },
    hash: hashOfCall(call, { text, headers }),
  };
}

/**
 * The hash of a call as it is sent, the same for all of its attempts: method, URL, headers, body and the name of the
 * secret, without what every attempt has its own of; and the definition of the tool, which is its version.
 */
export function hashOfCall(call: CallContent, { text, headers }: Pick<SignedCall, "text" | "headers">): string {
  const lasting = Object.entries(headers)
    .filter(([name]) => name !== TRACE_STATE)
    .map(([name, value]) => [name, HEADERS_OF_ATTEMPT.has(name) ? null : value]);
  const { tool } = call;
  // Lists, since their order is fixed; the body as it is written, since that is what is sent.
  const rendered = JSON.stringify(["POST", tool.handler, lasting, lastingFields(text), secretOf(call), tool]);
  return `sha256:${createHash("sha256").update(rendered).digest("hex")}`;
}

function secretOf({ tool }: CallContent): string {
  return tool.signingSecret ?? "default";
}

function lastingFields(text: string) {
  const fields = Object.entries(jsonObjectSchema.parse(JSON.parse(text)));
  return Object.fromEntries(fields.filter(([name]) => !FIELDS_OF_ATTEMPT.has(name)));
}
