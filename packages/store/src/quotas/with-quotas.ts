import type { Quotas } from "@yagate/protocol";
import type { Store } from "../port.ts";
import { QuotaExceededError } from "./quota-exceeded.ts";

/** Options for {@link withQuotas}. */
export interface QuotaOptions {
  readonly quotasOf: (workspaceId: string) => Promise<Quotas>;
  /** Returns the stored bytes of a workspace as of a few seconds ago. */
  readonly storedBytesOf: (workspaceId: string) => number;
}

/**
 * Wraps a store so that quotas limit new resources. Each resource is counted in the commit that creates it. Existing
 * resources are never affected.
 */
export function withQuotas(store: Store, { quotasOf, storedBytesOf }: QuotaOptions): Store {
  const { eventStore, agents, tools, workspaceSecrets } = store;

  /**
   * Creates a resource within its quota.
   *
   * @param make - creates the resource; its argument is the workspace's maximum number of such resources.
   */
  async function within<Made>(
    workspaceId: string,
    quota: "agents" | "tools" | "secrets" | "pendingExecutions",
    make: (most: number | null) => Promise<Made>,
  ): Promise<Made> {
    const quotas = await quotasOf(workspaceId);
    const used = storedBytesOf(workspaceId);
    if (quotas.storedBytes === null || used < quotas.storedBytes) return make(quotas[quota]);
    try {
      // A workspace at its quota of stored bytes can create nothing. Existing resources, such as the execution of an
      // idempotency key, can still be found.
      return await make(0);
    } catch (error) {
      if (!(error instanceof QuotaExceededError)) throw error;
      throw new QuotaExceededError({ quota: "storedBytes", limit: quotas.storedBytes, used });
    }
  }

  return {
    ...store,
    eventStore: {
      ...eventStore,
      create: (execution) =>
        within(execution.workspaceId, "pendingExecutions", (most) =>
          eventStore.create({ ...execution, maxPending: execution.maxPending === 0 ? 0 : most }),
        ),
    },
    agents: {
      ...agents,
      create: (workspaceId, agent, audit) =>
        within(workspaceId, "agents", (most) => agents.create(workspaceId, agent, audit, most)),
    },
    tools: {
      ...tools,
      create: (workspaceId, made, toolkit, audit) =>
        within(workspaceId, "tools", (most) => tools.create(workspaceId, made, toolkit, audit, most)),
    },
    workspaceSecrets: {
      ...workspaceSecrets,
      put: (change, _maxSecrets, audit) =>
        within(change.workspaceId, "secrets", (most) => workspaceSecrets.put(change, most, audit)),
    },
  };
}
