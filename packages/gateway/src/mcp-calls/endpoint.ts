import type { GroupFetch } from "@yagate/egress";
import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import type { NamedSecret } from "@yagate/lib/redaction/search/needles";
import type { McpEndpoint } from "@yagate/mcp/client/port";
import type { McpSourceSettings } from "@yagate/protocol";
import { refused } from "../calls/failure.ts";
import type { Failure } from "../calls/port.ts";
import { injectCredential } from "../secrets/credential.ts";
import type { WorkspaceSecrets } from "../secrets/workspace-secrets.ts";

/** A server and the gateway's identity there. */
export type McpServer = Readonly<Pick<McpSourceSettings, "url" | "auth">>;

/** A server that requests can be sent to, with the credential. It must not be stored. */
export interface OpenedEndpoint {
  readonly endpoint: McpEndpoint;
  /** Identifies the credential; empty if there is none. */
  readonly credential: string;
  /** Values that must not be stored with a response. */
  readonly valuesToRedact: readonly NamedSecret[];
}

/** Opens the credential of a server. Returns why no request may be sent if the credential cannot be used. */
export type OpenEndpoint = (
  workspaceId: string,
  server: McpServer,
) => Promise<OpenedEndpoint | { readonly failure: Failure }>;

export interface EndpointOptions {
  /**
   * Returns the `fetch` for the servers of a workspace. The networks that are allowlisted for the workspace apply,
   * because a person configured the URLs.
   */
  readonly fetchOf: (workspaceId: string) => GroupFetch;
  readonly secrets: Pick<WorkspaceSecrets, "open">;
  readonly now: () => number;
}

/** Creates the only place where the requests to MCP servers get their credential. */
export function createOpenEndpoint({ fetchOf, secrets, now }: EndpointOptions): OpenEndpoint {
  return async (workspaceId, { url, auth }) => {
    const fetch = fetchOf(workspaceId);
    if (auth === null) return { endpoint: { url, fetch }, credential: "", valuesToRedact: [] };
    const { credential: name } = auth;
    const secret = await secrets.open(workspaceId, name);
    if (secret === undefined) {
      return refused("CREDENTIAL_UNKNOWN", `the workspace has no secret ${name}`, {
        hint: "continue without this tool: its operator must set the secret first",
        isRetryable: false,
      });
    }
    const host = hostNameOf(new URL(url));
    if (!hostIsBound(host, secret.hosts)) {
      const bound = secret.hosts.length === 0 ? "no host" : secret.hosts.join(", ");
      return refused("URL_BLOCKED", `${name} may not be sent to ${host}, only to ${bound}`);
    }
    const { request, sent, sentParts } = await injectCredential({ url, headers: {} }, { ...secret, name }, now);
    const values = new Set([...secret.texts, sent, ...sentParts]);
    return {
      endpoint: { ...request, fetch },
      credential: `secret:${name}`,
      valuesToRedact: [...values].map((value) => ({ name, value })),
    };
  };
}
