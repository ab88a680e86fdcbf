import * as z from "zod";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { secretNameSchema } from "./secret.ts";

const issuerSchema = z
  .url({ protocol: /^https?$/, error: "expected the URL of an issuer, such as https://login.example.com" })
  .max(2_048)
  .regex(/^[\x21-\x7e]+$/, "expected a URL without spaces")
  .refine((url) => !/[?#]/.test(url), "expected a URL without a query or a fragment");

/** A scope of OAuth (RFC 6749, section 3.3) with at most 200 characters. */
export const oauthScopeSchema = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, "expected a scope without spaces or quotation marks");

/** How the gateway signs in to an MCP server with OAuth 2.1. */
export const toolSourceOAuthSchema = z
  .strictObject({
    /** The only authorization server that the gateway trusts for this source, exactly as its metadata names it. */
    issuer: issuerSchema,
    /**
     * `authorization_code` (default): a person signs in with a browser. `client_credentials`: the gateway signs in with
     * `clientId` and `clientSecret`.
     */
    grant: z.enum(["authorization_code", "client_credentials"]).default("authorization_code"),
    /**
     * The client that is registered with the issuer. Default: the gateway's client metadata document, if the issuer
     * supports such documents.
     */
    clientId: z
      .string()
      .regex(/^[\x20-\x7e]{1,2048}$/, "expected 1 to 2,048 ASCII characters")
      .optional(),
    /** Name of the workspace secret with the client's secret. Its hosts must include the host of the token endpoint. */
    clientSecret: secretNameSchema.optional(),
    /** The scopes to request. Default: those that the MCP server asks for; none for `client_credentials`. */
    scopes: z.array(oauthScopeSchema).min(1).max(50).optional(),
    /** Whether the gateway may register itself with the issuer if it has no other client. */
    allowRegistration: z.boolean().default(false),
  })
  .refine(({ clientId, clientSecret }) => clientSecret === undefined || clientId !== undefined, {
    path: ["clientId"],
    error: "expected the client to which clientSecret belongs",
  })
  .refine(({ grant, clientSecret }) => grant !== "client_credentials" || clientSecret !== undefined, {
    path: ["clientSecret"],
    error: "expected the name of a secret, because the grant is client_credentials",
  })
  .meta({ id: "ToolSourceOAuth" });
export type ToolSourceOAuth = z.output<typeof toolSourceOAuthSchema>;

/** A sign-in that a person continues in a browser. */
export const startedLoginSchema = openResponse(
  z.looseObject({
    /** The issuer's page. A person opens it in a browser; the gateway never does. */
    authorizationUrl: z.string(),
    /** When the sign-in expires. */
    expiresAt: timestampSchema,
  }),
).meta({ id: "StartedLogin" });
export type StartedLogin = z.infer<typeof startedLoginSchema>;

/** The body of `POST /v1/tool-sources/:id/login/confirm`. */
export const confirmLoginSchema = z
  .strictObject({
    /** The code that the browser showed. Spaces, hyphens and case are ignored. */
    code: z.string().min(1).max(40),
  })
  .meta({ id: "ConfirmLogin" });
export type ConfirmLogin = z.input<typeof confirmLoginSchema>;
