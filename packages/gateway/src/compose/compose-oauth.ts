import { randomUUID } from "node:crypto";
import { createEgressGuard, type EgressGuard } from "@yagate/egress";
import type { Store } from "@yagate/store/port";
import { createAccessTokens } from "../mcp-oauth/access-tokens.ts";
import { createOAuthReach } from "../mcp-oauth/oauth-source.ts";
import { createSignIns } from "../mcp-oauth/sign-ins.ts";
import { createStoredGrants } from "../mcp-oauth/stored-grants.ts";
import type { EgressPolicies } from "./compose-egress.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { ComposedWebhooks } from "./compose-webhooks.ts";
import type { GatewayContext } from "./gateway-context.ts";

export type ComposedOAuth = ReturnType<typeof composeOAuth>;

/** How long a request waits for the gateway's own URL, in ms, while the gateway starts. */
const URL_WAIT_MS = 1_000;

/**
 * Creates the sign-ins to MCP servers, and the tokens of their requests. The requests of OAuth share no connections with
 * other calls.
 */
export function composeOAuth(
  { logger, now }: Pick<GatewayContext, "logger" | "now">,
  parts: {
    readonly store: Pick<Store, "oauthGrants" | "oauthSignIns">;
    readonly keys: Pick<ComposedKeys, "sealer">;
    readonly egress: Pick<EgressPolicies, "perNetworks" | "tenantPolicy">;
    readonly secrets: Pick<ComposedSecrets, "secrets">;
    readonly webhooks: Pick<ComposedWebhooks, "callbackAddress">;
  },
) {
  const { store, egress, webhooks } = parts;
  const { sealer } = parts.keys;
  const { secrets } = parts.secrets;
  const guards = egress.perNetworks((policy): EgressGuard => createEgressGuard(policy));
  // For what servers name. No network is allowlisted for it.
  const publicGuard = createEgressGuard(egress.tenantPolicy);
  const fetchOf = (workspaceId: string) => guards.of(workspaceId).fetch;
  const publicFetch = publicGuard.fetch;
  const reach = createOAuthReach({ fetchOf, publicFetch, secrets, now });
  const grants = createStoredGrants({ store: store.oauthGrants, sealer, now });
  const baseUrl = () => webhooks.callbackAddress.base(now() + URL_WAIT_MS);
  return {
    ...{ fetchOf, publicFetch },
    accessTokens: createAccessTokens({
      ...{ store: store.oauthGrants, grants, reach, now, newRenewalId: randomUUID },
    }),
    signIns: createSignIns({
      ...{ store: store.oauthSignIns, grants, reach, sealer, baseUrl, now },
      onFailure: (error, sourceId) => logger.warn({ error, sourceId }, "a sign-in to an MCP server failed"),
    }),
    close: () => Promise.all([publicGuard.close(), ...guards.made().map((guard) => guard.close())]),
  };
}
