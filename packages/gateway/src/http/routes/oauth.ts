import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import * as z from "zod";
import { CALLBACK_PATH, CLIENT_DOCUMENT_PATH, isOfSession, type SignIns } from "../../mcp-oauth/sign-ins.ts";
import type { SourceLogins } from "../../tool-sources/source-logins.ts";
import { continuePage, signInPage } from "../responses/sign-in-page.ts";
import { defineRoute, type Route } from "../route.ts";

const TAG = "tools";
/** Maximum length of the parameters that an issuer sends back, in characters. */
const MAX_LENGTH = 8_192;

// A parameter that occurs twice, or is too long, counts as absent.
const parameter = z.string().max(MAX_LENGTH).optional().catch(undefined);
const callbackQuerySchema = z.looseObject({ state: parameter, code: parameter, error: parameter, iss: parameter });

/** Routes that browsers and issuers open, without an API key. OAuth describes them, not the OpenAPI document. */
export function oauthRoutes(
  logins: Pick<SourceLogins, "receive">,
  signIns: Pick<SignIns, "clientDocument">,
): readonly Route[] {
  return [
    defineRoute({
      name: "receiveSignIn",
      method: "get",
      path: CALLBACK_PATH,
      summary: "Receive an issuer's response",
      tag: TAG,
      scopes: null,
      knowsSessions: true,
      isUndocumented: true,
      query: callbackQuerySchema,
      status: 200,
      response: null,
      async handle({ query, principal, sessionId, recorder, signal, headers, response }) {
        const { state = "", code, error, iss } = query;
        // A state works once, so only a browser that shows the page may use it.
        if (response.req.method === "HEAD") return signInPage({ kind: "expired" });
        // The issuer's redirect comes without the session's cookie, because another site caused it.
        if (isOfSession(state) && headers["sec-fetch-site"] !== "same-origin") {
          return continuePage(CALLBACK_PATH, defined({ state, code, error, iss }));
        }
        const { keyId, scopes } = principal;
        const session = scopes.has("tools") ? sessionId : undefined;
        const request = { keyId, sessionId: session, recorder, signal };
        return signInPage(await logins.receive(state, { code, error, iss }, request));
      },
    }),
    defineRoute({
      name: "getOAuthClient",
      method: "get",
      path: CLIENT_DOCUMENT_PATH,
      summary: "Get the gateway's client metadata document",
      tag: TAG,
      scopes: null,
      isUndocumented: true,
      status: 200,
      response: z.looseObject({ client_id: z.string() }),
      async handle() {
        const body = await signIns.clientDocument();
        if (body === undefined) throw new YagateError("NOT_FOUND", "the gateway has no public URL");
        return { status: 200, body };
      },
    }),
  ];
}
