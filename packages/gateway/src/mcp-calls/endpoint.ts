import { unsentFailure } from "@yagate/calls/failure";
import { sendableSecret } from "@yagate/calls/sendable-secret";
import type { GroupFetch } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import type { NamedSecret } from "@yagate/lib/redaction/search/needles";
import type { McpEndpoint } from "@yagate/mcp/client/port";
import { OAuthFailure } from "@yagate/mcp/oauth/oauth-failure";
import type { McpSourceSettings } from "@yagate/protocol";
import { injectCredential } from "@yagate/secrets/credential";
import type { WorkspaceSecrets } from "@yagate/secrets/workspace-secrets";
import type { EraKey } from "@yagate/store/port";
import type { AccessToken, AccessTokens } from "../mcp-oauth/access-tokens.ts";
import { createAuthorizedFetch } from "../mcp-oauth/authorized-fetch.ts";
import type { OAuthSource } from "../mcp-oauth/oauth-source.ts";
import type { GrantOwner } from "../mcp-oauth/stored-grants.ts";

/** A server and the gateway's identity there. */
export type McpServer = Readonly<Pick<McpSourceSettings, "url" | "auth">>;

/** A server that requests can be sent to, with the credential. It must not be stored. */
export interface OpenedEndpoint {
  readonly endpoint: McpEndpoint;
  /** Identifies the credential; empty for requests without one. */
  readonly credential: string;
  /** A verdict about the server's era is valid for one URL and one credential. */
  readonly eraKey: EraKey;
  /** Values that must not be stored with a response. */
  readonly valuesToRedact: readonly NamedSecret[];
}

/** Opens the credential of a server. Returns why no request may be sent if the credential cannot be used. */
export type OpenEndpoint = (
  owner: GrantOwner,
  server: McpServer,
) => Promise<OpenedEndpoint | { readonly failure: Failure; readonly cause?: OAuthFailure }>;

export interface EndpointOptions {
  /**
   * Returns the `fetch` for the servers of a workspace. The networks that are allowlisted for the workspace apply,
   * because a person configured the URLs.
   */
  readonly fetchOf: (workspaceId: string) => GroupFetch;
  readonly secrets: Pick<WorkspaceSecrets, "open">;
  readonly accessTokens: AccessTokens;
  readonly now: () => number;
}

/** The name under which access tokens are masked in responses. */
const TOKEN_NAME = "OAUTH_TOKEN";

/** Creates the only place where the requests to MCP servers get their credential. */
export function createOpenEndpoint({ fetchOf, secrets, accessTokens, now }: EndpointOptions): OpenEndpoint {
  async function openSecret(owner: GrantOwner, url: string, name: string): ReturnType<OpenEndpoint> {
    const { workspaceId } = owner;
    const opened = sendableSecret(name, await secrets.open(workspaceId, name), hostNameOf(new URL(url)));
    if ("failure" in opened) return opened;
    const { secret } = opened;
    const { request, sent, sentParts } = await injectCredential({ url, headers: {} }, { ...secret, name }, now);
    const values = new Set([...secret.texts, sent, ...sentParts]);
    return {
      endpoint: { ...request, fetch: fetchOf(workspaceId) },
      ...identityOf(owner, url, `secret:${name}`),
      valuesToRedact: [...values].map((value) => ({ name, value })),
    };
  }

  async function openToken(source: OAuthSource): Promise<OpenedEndpoint> {
    // Grows when the token is renewed during the connection.
    const valuesToRedact: NamedSecret[] = [];
    const noted = (token: AccessToken) => {
      valuesToRedact.push({ name: TOKEN_NAME, value: token.token });
      return token;
    };
    const first = noted(await accessTokens.current(source));
    const renewed = (rejected: number) =>
      accessTokens.renewed(source, rejected).then(noted, (error: unknown) => {
        // The response with which the server rejected the token then says what is wrong.
        if (!(error instanceof OAuthFailure)) throw error;
        return undefined;
      });
    const fetch = createAuthorizedFetch(fetchOf(source.workspaceId), { first, renewed });
    const identity = identityOf(source, source.url, `oauth:${source.oauth.issuer}`);
    return { endpoint: { url: source.url, fetch }, ...identity, valuesToRedact };
  }

  return async (owner, { url, auth }) => {
    const { workspaceId } = owner;
    if (auth === null) {
      return { endpoint: { url, fetch: fetchOf(workspaceId) }, ...identityOf(owner, url, ""), valuesToRedact: [] };
    }
    if ("credential" in auth) return openSecret(owner, url, auth.credential);
    try {
      return await openToken({ ...owner, url, oauth: auth.oauth });
    } catch (error) {
      if (error instanceof OAuthFailure) return { failure: tokenFailure(error), cause: error };
      throw error;
    }
  };
}

function identityOf({ sourceId }: Pick<GrantOwner, "sourceId">, url: string, credential: string) {
  return { credential, eraKey: { sourceId, client: `${credential} ${url}` } };
}

function tokenFailure({ code, message }: OAuthFailure): Failure {
  if (code === "SOURCE_UNREACHABLE") return unsentFailure("NETWORK_ERROR", message);
  return unsentFailure("CREDENTIAL_MISSING", message, {
    hint: "continue without this tool: a person must sign in to its source first",
    isRetryable: false,
  });
}

/** Returns the name of the secret with which the gateway identifies itself; undefined if it uses no secret. */
export function secretNameOf(auth: McpServer["auth"]): string | undefined {
  return auth !== null && "credential" in auth ? auth.credential : undefined;
}
