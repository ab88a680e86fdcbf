import type { Quotas } from "@yagate/protocol";
import type { Store } from "./port.ts";

/**
 * The store, with what is new bounded by the quotas of its workspace: each is counted in the commit that would make it.
 * Nothing else asks for them, so that what is there can always go on.
 */
export function withQuotas(store: Store, quotasOf: (workspaceId: string) => Promise<Quotas>): Store {
  const { journal, agents, tools, workspaceSecrets } = store;
  return {
    ...store,
    journal: {
      ...journal,
      async create(execution) {
        const { pendingExecutions: maxPending } = await quotasOf(execution.workspaceId);
        return journal.create({ ...execution, maxPending });
      },
    },
    agents: {
      ...agents,
      create: async (workspaceId, agent, audit) =>
        agents.create(workspaceId, agent, audit, (await quotasOf(workspaceId)).agents),
    },
    tools: {
      ...tools,
      create: async (workspaceId, made, toolkit, audit) =>
        tools.create(workspaceId, made, toolkit, audit, (await quotasOf(workspaceId)).tools),
    },
    workspaceSecrets: {
      ...workspaceSecrets,
      put: async (change, _maxSecrets, audit) =>
        workspaceSecrets.put(change, (await quotasOf(change.workspaceId)).secrets, audit),
    },
  };
}
