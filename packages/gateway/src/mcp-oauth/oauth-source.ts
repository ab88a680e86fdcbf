import { boundHostsText, hostIsBound } from "@yagate/lib/hosts/destination-list";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { defined } from "@yagate/lib/objects/defined";
import { refused } from "@yagate/mcp/oauth/oauth-failure";
import type { OAuthClient, OAuthServer, OAuthTarget } from "@yagate/mcp/oauth/port";
import type { ToolSourceOAuth } from "@yagate/protocol";
import type { WorkspaceSecrets } from "@yagate/secrets/workspace-secrets";
import type { GrantOwner } from "./stored-grants.ts";

/** An MCP source whose requests contain an access token. */
export interface OAuthSource extends GrantOwner {
  readonly url: string;
  readonly oauth: ToolSourceOAuth;
}

/** The requests of OAuth. */
export interface OAuthReach {
  /** Creates the target of a source's requests. */
  targetOf(source: OAuthSource, signal: AbortSignal): OAuthTarget;
  /**
   * Decrypts the secret of a client, if it has one.
   * @throws OAuthFailure `SOURCE_UNAUTHORIZED` if the secret is missing or may not be sent to the token endpoint.
   */
  withSecret(source: OAuthSource, server: OAuthServer, client: OAuthClient): Promise<OAuthClient>;
}

export interface OAuthReachOptions {
  /** Returns the `fetch` to which the networks that are allowlisted for the workspace apply. */
  readonly fetchOf: (workspaceId: string) => typeof globalThis.fetch;
  /** The `fetch` that allows no private network. */
  readonly publicFetch: typeof globalThis.fetch;
  readonly secrets: Pick<WorkspaceSecrets, "open">;
  readonly now: () => number;
}

export function createOAuthReach({ fetchOf, publicFetch, secrets, now }: OAuthReachOptions): OAuthReach {
  return {
    targetOf: ({ workspaceId, url, oauth: { issuer } }, signal) => ({
      ...{ url, issuer, signal, now, publicFetch, fetch: fetchOf(workspaceId) },
    }),
    async withSecret({ workspaceId, oauth }, { metadata }, client) {
      const { clientSecret: name } = oauth;
      // A client that the gateway registered itself has its own secret, if any.
      if (name === undefined || client.id !== oauth.clientId) return client;
      const secret = await secrets.open(workspaceId, name);
      if (secret === undefined) throw refused(`the workspace has no secret ${name}`, "set the secret");
      const host = hostNameOf(new URL(metadata.token_endpoint));
      if (!hostIsBound(host, secret.hosts)) {
        throw refused(
          `the secret ${name} may not be sent to the token endpoint at ${host}, only to ${boundHostsText(secret.hosts)}`,
          "add the host to the secret, if you trust it with the client's secret",
        );
      }
      return { id: client.id, ...defined({ secret: secret.value }) };
    },
  };
}
