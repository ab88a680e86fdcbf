import { defined } from "@yagate/lib/objects/defined";
import { inStep, refused, toRejection } from "./oauth-failure.ts";
import { createOAuthRequests } from "./oauth-fetch.ts";
import type { OAuthClient, OAuthServer, OAuthTarget, OAuthTokens } from "./port.ts";
import { toTokens } from "./tokens.ts";

/** An authorization request that a person opens in a browser. */
export interface AuthorizationRequest {
  readonly authorizationUrl: string;
  /** The secret that proves, with the code, that this gateway made the request (PKCE). */
  readonly verifier: string;
}

/**
 * Creates an authorization request with PKCE (S256). It sends no request.
 *
 * @param request.scopes - the requested scopes; undefined: those that the MCP server asks for.
 * @throws OAuthFailure `SOURCE_UNAUTHORIZED` if the issuer does not support S256.
 */
export async function createAuthorizationRequest(
  server: OAuthServer,
  request: {
    readonly client: OAuthClient;
    readonly redirectUri: string;
    readonly state: string;
    readonly scopes: readonly string[] | undefined;
  },
): Promise<AuthorizationRequest> {
  const { metadata, resource } = server;
  if (metadata.code_challenge_methods_supported?.includes("S256") !== true) {
    throw refused("the issuer does not state that it supports PKCE with S256");
  }
  const endpoint = new URL(metadata.authorization_endpoint);
  if (endpoint.protocol !== "https:" && endpoint.origin !== new URL(metadata.issuer).origin) {
    throw refused("expected an authorization endpoint with an https URL");
  }
  const sdk = await import("@modelcontextprotocol/client");
  const scope = (request.scopes ?? server.scopes)?.join(" ");
  const { authorizationUrl, codeVerifier } = await inStep("the authorization request", () =>
    sdk.startAuthorization(metadata.issuer, {
      ...{ metadata, state: request.state, resource, redirectUrl: request.redirectUri },
      clientInformation: { client_id: request.client.id },
      ...defined({ scope }),
    }),
  );
  return { authorizationUrl: authorizationUrl.href, verifier: codeVerifier };
}

/** What the issuer's redirect brings back to the gateway, apart from the state. */
export interface AuthorizationResponse {
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly iss: string | undefined;
}

/**
 * Exchanges the code of an authorization response for tokens.
 *
 * @throws OAuthFailure `SOURCE_UNAUTHORIZED` if the response comes from another issuer (RFC 9207); no request is sent
 *   then.
 */
export async function redeemCode(
  target: OAuthTarget,
  server: OAuthServer,
  response: AuthorizationResponse,
  request: { readonly client: OAuthClient; readonly redirectUri: string; readonly verifier: string },
): Promise<OAuthTokens> {
  const sdk = await import("@modelcontextprotocol/client");
  const { metadata, resource } = server;
  const { code, error, iss } = response;
  const { client, redirectUri, verifier: codeVerifier } = request;
  return inStep("the sign-in", async () => {
    // Before the error is read, because an error from elsewhere says nothing about this issuer.
    sdk.validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    });
    if (error !== undefined) throw toRejection("the sign-in", error);
    if (code === undefined) throw refused("the sign-in: the issuer sent no code");
    const tokens = await sdk.exchangeAuthorization(metadata.issuer, {
      ...{ metadata, authorizationCode: code, codeVerifier, redirectUri, resource },
      clientInformation: { client_id: client.id, ...defined({ client_secret: client.secret }) },
      fetchFn: createOAuthRequests(target).fetch,
      ...defined({ iss }),
    });
    return toTokens(tokens, target.now());
  });
}
