import type { Logger } from "@yagate/lib/logging/logger";
import { keyDestinationProblem } from "@yagate/models/key-destination";
import { createProviderCredentials } from "@yagate/secrets/provider-credentials";
import { createWorkspaceSecrets } from "@yagate/secrets/workspace-secrets";
import type { Store, WorkspaceProviderStore } from "@yagate/store/port";
import type { ComposedKeys } from "./compose-keys.ts";
import type { GatewayContext } from "./gateway-context.ts";

/** Maximum number of keys that are logged separately. If there are more, another entry contains the total number. */
const MAX_LINES = 100;

export type ComposedSecrets = Awaited<ReturnType<typeof composeSecrets>>;

/** Creates the stores of the credentials that workspaces have saved: their secrets and their model providers. */
export async function composeSecrets(
  { config, logger, now }: GatewayContext,
  {
    store,
    keys: { sealer },
  }: {
    readonly store: Pick<Store, "workspaceSecrets" | "workspaceProviders">;
    readonly keys: Pick<ComposedKeys, "sealer">;
  },
) {
  const secrets = createWorkspaceSecrets({ store: store.workspaceSecrets, sealer, now });
  const providers = createProviderCredentials({ store: store.workspaceProviders, secrets, now });
  await reportUnboundKeys(store.workspaceProviders, { isStrict: config.strictSecretHosts, logger });
  const hostsOf = async (workspaceId: string, name: string) =>
    (await secrets.describe(workspaceId, [name])).get(name)?.hosts;
  return { secrets, providers, hostsOf };
}

/**
 * Logs each provider key whose secret does not list the host of the provider. Such keys were saved before the gateway
 * checked this.
 */
async function reportUnboundKeys(
  store: Pick<WorkspaceProviderStore, "listUnbound">,
  { isStrict, logger }: { readonly isStrict: boolean; readonly logger: Logger },
): Promise<void> {
  const unbound = (await store.listUnbound()).filter(({ provider, secretName, baseUrl }) => {
    const problem = keyDestinationProblem({ provider, secretName, hosts: [], url: baseUrl, isWorkspaceUrl: true });
    return problem !== undefined;
  });
  const message = isStrict
    ? "a provider's key is not sent: the hosts of its secret do not include the host of the base URL"
    : "a provider's key is sent to a host that the secret with this key does not list; this works only until someone changes the secret or the provider";
  const level = isStrict ? "error" : "warn";
  for (const { workspaceId, provider, secretName, baseUrl } of unbound.slice(0, MAX_LINES)) {
    const { hostname: host } = new URL(baseUrl);
    const advice = `yagate secret set ${secretName} --host ${host}`;
    logger[level]({ workspaceId, provider, secretName, host, advice }, message);
  }
  if (unbound.length > MAX_LINES)
    logger[level](
      { count: unbound.length },
      `only the first ${MAX_LINES} provider keys whose secrets list no hosts are logged separately`,
    );
}
