import type { Logger } from "@yagate/lib/logging/logger";
import { keyDestinationProblem } from "@yagate/models/key-destination";
import type { WorkspaceProviderStore } from "@yagate/store/rows/provider-rows";

/** A start with more of them says how many there are. */
const MAX_LINES = 100;

/** Names in the log each key that goes to a host which its secret doesn't name, stored before that was required. */
export async function reportUnboundKeys(
  store: Pick<WorkspaceProviderStore, "listUnbound">,
  { isStrict, logger }: { readonly isStrict: boolean; readonly logger: Logger },
): Promise<void> {
  const unbound = (await store.listUnbound()).filter(({ provider, secretName, baseUrl }) => {
    const problem = keyDestinationProblem({ provider, secretName, hosts: [], url: baseUrl, isWorkspaceUrl: true });
    return problem !== undefined;
  });
  const told = isStrict
    ? "a provider's key is refused: its secret does not name the host of the base URL"
    : "a provider's key goes to a host that its secret does not name: it works until the secret or the provider is written";
  const level = isStrict ? "error" : "warn";
  for (const { workspaceId, provider, secretName, baseUrl } of unbound.slice(0, MAX_LINES)) {
    const { hostname: host } = new URL(baseUrl);
    const advice = `yagate secret set ${secretName} --host ${host}`;
    logger[level]({ workspaceId, provider, secretName, host, advice }, told);
  }
  if (unbound.length > MAX_LINES) logger[level]({ count: unbound.length }, "more keys of providers name no hosts");
}
