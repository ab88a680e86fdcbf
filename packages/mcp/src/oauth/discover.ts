import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client";
import { defined } from "@yagate/lib/objects/defined";
import { oauthScopeSchema } from "@yagate/protocol";
import { inStep, refused } from "./oauth-failure.ts";
import { createOAuthRequests, type OAuthRequests } from "./oauth-fetch.ts";
import type { OAuthServer, OAuthTarget } from "./port.ts";

type Sdk = typeof import("@modelcontextprotocol/client");

/** Maximum number of scopes that are taken from an MCP server. */
const MAX_SCOPES = 50;

/** A request of the protocol without a credential, which the server rejects with its challenge. */
const PROBE = {
  method: "POST",
  headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }),
};

/**
 * Reads what the MCP server and its issuer publish. No request has a credential.
 *
 * @throws OAuthFailure `SOURCE_UNAUTHORIZED` if the MCP server names other issuers or another resource, or the issuer
 *   another issuer.
 */
export async function discoverOAuth(target: OAuthTarget): Promise<OAuthServer> {
  const sdk = await import("@modelcontextprotocol/client");
  const requests = createOAuthRequests(target);
  const published = await inStep("reading the MCP server's authorization metadata", () =>
    readResource(sdk, target, requests),
  );
  const metadata = await inStep("reading the issuer's metadata", () =>
    sdk.discoverAuthorizationServerMetadata(target.issuer, { fetchFn: requests.fetch }),
  );
  if (metadata === undefined) throw refused("the issuer of the source publishes no authorization server metadata");
  return { ...published, metadata: neededOf(metadata) };
}

async function readResource(
  sdk: Sdk,
  { url, issuer }: OAuthTarget,
  requests: OAuthRequests,
): Promise<Pick<OAuthServer, "resource" | "scopes">> {
  const challenge = sdk.extractWWWAuthenticateParams(await requests.head(url, PROBE));
  const challenged = scopesOf(challenge.scope?.split(" "));
  const { resourceMetadataUrl } = challenge;
  const published = await sdk
    .discoverOAuthProtectedResourceMetadata(url, defined({ resourceMetadataUrl }), requests.fetch)
    .catch((error: unknown) => {
      // Servers of older revisions publish none. The issuer is known, so it is not derived from their URL.
      if (requests.status() >= 400 && requests.status() < 500) return undefined;
      throw error;
    });
  if (published === undefined) {
    return { resource: sdk.resourceUrlFromServerUrl(url).href, ...defined({ scopes: challenged }) };
  }
  const { resource, authorization_servers: issuers, scopes_supported: supported } = published;
  if (!isForResource(url, { resource })) {
    throw refused("the MCP server's metadata names a resource that does not cover the server's URL");
  }
  if (issuers !== undefined && !issuers.some((named) => isSameIssuer(named, issuer))) {
    throw refused(
      "the MCP server's metadata does not name the issuer of the source",
      "check auth.oauth.issuer; change it only if you trust the other issuer with your account",
    );
  }
  return { resource, ...defined({ scopes: challenged ?? scopesOf(supported) }) };
}

function isSameIssuer(left: string, right: string): boolean {
  const withoutSlash = (text: string) => text.replace(/\/$/, "");
  return withoutSlash(left) === withoutSlash(right);
}

function scopesOf(named: readonly string[] | undefined): readonly string[] | undefined {
  const scopes = named?.filter((scope) => oauthScopeSchema.safeParse(scope).success).slice(0, MAX_SCOPES);
  return scopes === undefined || scopes.length === 0 ? undefined : scopes;
}

/** Keeps the fields that later steps read, because the result is stored. */
function neededOf(metadata: AuthorizationServerMetadata): AuthorizationServerMetadata {
  const { issuer, authorization_endpoint, token_endpoint, response_types_supported } = metadata;
  const { registration_endpoint, code_challenge_methods_supported, token_endpoint_auth_methods_supported } = metadata;
  const { authorization_response_iss_parameter_supported, client_id_metadata_document_supported } = metadata;
  return {
    ...{ issuer, authorization_endpoint, token_endpoint, response_types_supported },
    ...defined({
      ...{ registration_endpoint, code_challenge_methods_supported, token_endpoint_auth_methods_supported },
      ...{ authorization_response_iss_parameter_supported, client_id_metadata_document_supported },
    }),
  };
}

/**
 * Checks that the servers still publish what tokens or a client were stored for.
 *
 * @throws OAuthFailure `SOURCE_UNAUTHORIZED`.
 */
export function assertUnchanged(stored: OAuthServer, found: OAuthServer): void {
  if (found.resource !== stored.resource) {
    throw refused("the MCP server's metadata names a different resource than at the sign-in", "sign in again");
  }
  if (found.metadata.issuer !== stored.metadata.issuer || tokenHostOf(found) !== tokenHostOf(stored)) {
    throw refused("the issuer's metadata names a different token endpoint host than at the sign-in", "sign in again");
  }
}

/** Returns the host to which codes, refresh tokens and client secrets are sent, with its port. */
export function tokenHostOf({ metadata }: OAuthServer): string {
  return new URL(metadata.token_endpoint).host;
}

/** Whether tokens for a server's resource may be sent to a URL. */
export function isForResource(url: string, { resource }: Pick<OAuthServer, "resource">): boolean {
  const [asked, granted] = [new URL(url), new URL(resource)];
  const path = (pathname: string) => (pathname.endsWith("/") ? pathname : `${pathname}/`);
  return asked.origin === granted.origin && path(asked.pathname).startsWith(path(granted.pathname));
}
