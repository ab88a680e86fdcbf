import { callbackOutcomeSchema, callbackReceiptSchema, SIGNATURE_HEADER, YagateError } from "@yagate/protocol";
import type { CallbackService } from "../../executions/callbacks/callback-service.ts";
import { bearerOf } from "../requests/admission.ts";
import { assertNotEncoded, readBytes } from "../requests/read-json-body.ts";
import { defineRoute, type Route } from "../route.ts";

/** Maximum size of a callback in bytes, the same as for a synchronous response. */
const MAX_CALLBACK_BYTES = 500_000;

export function callbackRoutes(callbacks: CallbackService): readonly Route[] {
  return [
    defineRoute({
      name: "receiveCallback",
      method: "post",
      path: "/v1/callbacks/:id",
      summary: "Deliver the outcome of an asynchronous tool call",
      description:
        "For handlers of asynchronous tools. Authenticate with the token from the tool call instead of an API key. The first outcome counts: sending the same body again changes nothing, and a different body is rejected with `CONFLICT`.",
      tag: "callbacks",
      scopes: null,
      problems: ["CONFLICT", "GONE"],
      token: "callback",
      rawBody: callbackOutcomeSchema,
      maxBodyBytes: MAX_CALLBACK_BYTES,
      status: 200,
      response: callbackReceiptSchema,
      headers: {
        "X-YA-Signature":
          "Signature of `callback.<toolCallId>.` followed by the body, computed with the tool's signing secret",
      },
      async handle({ params, headers, response }) {
        const bearer = bearerOf(headers.authorization);
        if (bearer === undefined) {
          throw new YagateError("UNAUTHENTICATED", "expected the header Authorization: Bearer <callback token>");
        }
        const subject = await callbacks.authenticate(bearer, params["id"] ?? "");
        assertNotEncoded(response.req);
        const body = await readBytes(response.req, MAX_CALLBACK_BYTES);
        const signature = signatureOf(headers[SIGNATURE_HEADER]);
        await callbacks.receive(subject, { token: bearer, signature, body });
        return { status: 200, body: { toolCallId: subject.toolCallId } };
      },
    }),
  ];
}

/**
 * Returns the signature header as one string. Node joins repeated headers with commas, which also separate the
 * signatures in one header.
 */
function signatureOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" || header === undefined ? header : header.join(",");
}
