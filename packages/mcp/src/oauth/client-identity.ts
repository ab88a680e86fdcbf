import { defined } from "@yagate/lib/objects/defined";
import { inStep, refused } from "./oauth-failure.ts";
import { createOAuthRequests } from "./oauth-fetch.ts";
import type { OAuthClient, OAuthServer, OAuthTarget } from "./port.ts";

/** How the gateway may identify itself to an issuer. */
export interface ClientIdentity {
  /** The client that a person registered with the issuer; undefined: none. */
  readonly registered?: OAuthClient | undefined;
  /** The client that the gateway registered with the issuer earlier; undefined: none. */
  readonly earlier?: OAuthClient | undefined;
  /** The URL of the gateway's client metadata document. Issuers only read https URLs. */
  readonly documentUrl: string;
  readonly redirectUri: string;
  /** Whether the gateway may register itself with the issuer. */
  readonly allowRegistration: boolean;
}

/** The client metadata that the gateway publishes and registers. */
export function clientMetadata(redirectUri: string) {
  return {
    client_name: "Yagate",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: new URL(redirectUri).protocol === "https:" ? "web" : "native",
  };
}

/**
 * Chooses the client: the registered one; else the metadata document, if the issuer supports it; else a dynamic
 * registration, if it is allowed.
 *
 * @throws OAuthFailure `SOURCE_UNAUTHORIZED` if no client is possible.
 */
export async function chooseClient(
  target: OAuthTarget,
  server: OAuthServer,
  identity: ClientIdentity,
): Promise<OAuthClient> {
  const { registered, earlier, documentUrl, redirectUri, allowRegistration } = identity;
  const { client_id_metadata_document_supported: readsDocuments, registration_endpoint } = server.metadata;
  if (registered !== undefined) return registered;
  if (readsDocuments === true && new URL(documentUrl).protocol === "https:") return { id: documentUrl };
  if (!allowRegistration) {
    throw refused(
      "the issuer does not know this gateway",
      "register a client with the issuer and set auth.oauth.clientId, or set auth.oauth.allowRegistration",
    );
  }
  if (earlier?.registeredFor === redirectUri) return earlier;
  if (registration_endpoint === undefined) {
    const hint = "register a client with the issuer, and set auth.oauth.clientId";
    throw refused("the issuer does not support dynamic client registration", hint);
  }
  const sdk = await import("@modelcontextprotocol/client");
  const { fetch: fetchFn } = createOAuthRequests(target);
  const { client_id: id, client_secret: secret } = await inStep("the client registration", () =>
    sdk.registerClient(target.issuer, {
      ...{ metadata: server.metadata, fetchFn },
      clientMetadata: clientMetadata(redirectUri),
    }),
  );
  return { id, registeredFor: redirectUri, ...defined({ secret }) };
}
