import type { Logger } from "@yagate/lib/logging/logger";
import { keyDestinationProblem } from "@yagate/models/key-destination";
import type { Store, WorkspaceProviderStore } from "@yagate/store/port";
import { createProviderCredentials } from "../secrets/provider-credentials.ts";
import { createWorkspaceSecrets } from "../secrets/workspace-secrets.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { GatewayContext } from "./gateway-context.ts";

/** More keys than this are only counted in the log. */
const MAX_LINES = 100;

export type ComposedSecrets = Awaited<ReturnType<typeof composeSecrets>>;

/** The credentials that workspaces stored: their secrets and their model providers. */
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

/** Logs each provider key that is sent to a host its secret does not name. Such rows predate the rule. */
async function reportUnboundKeys(
  store: Pick<WorkspaceProviderStore, "listUnbound">,
  { isStrict, logger }: { readonly isStrict: boolean; readonly logger: Logger },
): Promise<void> {
  const unbound = (await store.listUnbound()).filter(({ provider, secretName, baseUrl }) => {
    const problem = keyDestinationProblem({ provider, secretName, hosts: [], url: baseUrl, isWorkspaceUrl: true });
    return problem !== undefined;
  });
  const message = isStrict
    ? "a provider's key is refused: its secret does not name the host of the base URL"
    : "a provider's key is sent to a host that its secret does not name; this works until the secret or the provider changes";
  const level = isStrict ? "error" : "warn";
  for (const { workspaceId, provider, secretName, baseUrl } of unbound.slice(0, MAX_LINES)) {
    const { hostname: host } = new URL(baseUrl);
    const advice = `yagate secret set ${secretName} --host ${host}`;
    logger[level]({ workspaceId, provider, secretName, host, advice }, message);
  }
  if (unbound.length > MAX_LINES) logger[level]({ count: unbound.length }, "more provider keys name no hosts");
}
