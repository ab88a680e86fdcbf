import { readIssuerKeys } from "@yagate/mcp/oauth/issuer-keys";
import { YagateError } from "@yagate/protocol";
import { DEFAULT_WORKSPACE_NAME } from "@yagate/secrets/workspaces";
import type { Store } from "@yagate/store/port";
import { MCP_SCOPE } from "../config/mcp-issuers.ts";
import { createIssuerKeys } from "../mcp-access/issuer-keys.ts";
import { createTokenAccess, type TokenAccess, type TrustedIssuer } from "../mcp-access/token-access.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedOAuth } from "./compose-oauth.ts";
import type { GatewayContext } from "./gateway-context.ts";

/** Maximum time in ms to read the metadata and the keys of an issuer. */
const READ_MS = 15_000;

/**
 * Creates the check of the access tokens of MCP hosts.
 *
 * @throws YagateError `NOT_CONFIGURED` if a configured workspace does not exist.
 */
export async function composeMcpAccess(
  { config, logger, now }: Pick<GatewayContext, "config" | "logger" | "now">,
  parts: {
    readonly store: Pick<Store, "workspaces">;
    readonly keys: Pick<ComposedKeys, "defaultWorkspaceId">;
    readonly oauth: Pick<ComposedOAuth, "fetchOf" | "publicFetch">;
  },
): Promise<TokenAccess> {
  const { defaultWorkspaceId } = parts.keys;
  const { fetchOf, publicFetch } = parts.oauth;
  await assertWorkspacesExist(config.mcpIssuers, parts.store.workspaces);
  const issuers = config.mcpIssuers.map(({ issuer, audience, workspace, scopes }): TrustedIssuer => {
    const workspaceId = workspace === DEFAULT_WORKSPACE_NAME ? defaultWorkspaceId : workspace;
    const read = () =>
      readIssuerKeys({ issuer, publicFetch, fetch: fetchOf(workspaceId), signal: AbortSignal.timeout(READ_MS) });
    const onFailure = (error: unknown) => logger.warn({ error, issuer }, "the keys of an issuer cannot be read");
    const keyOf = createIssuerKeys({ read, now, onFailure });
    return { issuer, audience, workspaceId, scopes: new Set(scopes.filter((scope) => scope === MCP_SCOPE)), keyOf };
  });
  const onRejected = (issuer: string, reason: string) =>
    logger.info({ issuer, reason }, "an access token was rejected");
  return createTokenAccess({ issuers, now, onRejected });
}

async function assertWorkspacesExist(
  issuers: GatewayContext["config"]["mcpIssuers"],
  workspaces: Store["workspaces"],
): Promise<void> {
  const ids = [...new Set(issuers.map(({ workspace }) => workspace))].filter((id) => id !== DEFAULT_WORKSPACE_NAME);
  const found = await Promise.all(ids.map((id) => workspaces.find(id)));
  const missing = ids.filter((_id, index) => found[index] === undefined);
  if (missing.length === 0) return;
  throw new YagateError(
    "NOT_CONFIGURED",
    `YAGATE_MCP_ISSUERS names workspaces that do not exist: ${missing.join(", ")}`,
    {
      hint: "GET /v1/workspaces lists the workspaces",
    },
  );
}
