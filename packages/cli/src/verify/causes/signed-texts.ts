import { field, textField } from "../json-fields.ts";
import { headerOf, type SavedRequest } from "../saved-request.ts";
import type { Cause } from "./cause.ts";
import { decodeText } from "./decode-text.ts";

/** A text that may have been signed instead of the body alone. */
export interface SignedTextChange extends Cause {
  /** Returns the texts that may precede the body. */
  prefixes(request: SavedRequest): Iterable<string>;
}

const STATUSES = [200, 202, 400, 401, 404, 409, 413, 422, 500, 504];

/** The texts that other signatures cover, of this protocol and of others. */
export const SIGNED_TEXT_CHANGES: readonly SignedTextChange[] = [
  {
    id: "standard-webhooks-text",
    cause: "the text of Standard Webhooks was signed (id, timestamp and body) instead of the body",
    advice: "X-YA-Signature covers the body alone; the other text belongs to webhook-signature",
    *prefixes(request) {
      const timestamp = headerOf(request, "webhook-timestamp");
      const id = headerOf(request, "webhook-id");
      if (timestamp === undefined) return;
      if (id !== undefined) yield `${id}.${timestamp}.`;
      yield `${timestamp}.`;
      yield `v0:${timestamp}:`;
    },
  },
  {
    id: "answer-or-callback",
    cause: "this is the signature of a response or of a callback, not of a call",
    advice:
      "the signature of a call covers only its body; save the request that the gateway sends, not what is sent to it",
    *prefixes(request) {
      for (const id of new Set([headerOf(request, "idempotency-key"), idInBody(request)])) {
        if (id === undefined) continue;
        yield `callback.${id}.`;
        for (const status of STATUSES) yield `answer.${id}.${status}.`;
      }
    },
  },
  {
    id: "describe-request",
    cause: "this is a describe request, with which the gateway asks a handler for its tools, not a call",
    advice:
      "a handler need not respond to it, and a verifier of calls must reject it; docs/describing-tools.md shows how to respond",
    prefixes: () => ["describe."],
  },
];

function idInBody({ body }: SavedRequest): string | undefined {
  try {
    const json: unknown = JSON.parse(decodeText(body) ?? "");
    return textField(json, "toolCallId") ?? textField(field(json, "call"), "toolCallId");
  } catch {
    return undefined;
  }
}
