import { DEFAULT_PLAN, type Plan } from "@yagate/protocol";
import { WORKSPACE_SUBJECT } from "@yagate/secrets/workspaces";
import type { ChangeRecorder, RateLimitStore, WorkspaceRow, WorkspaceStore } from "@yagate/store/port";
import type { PlanCatalog } from "../../policy/plans/plan-catalog.ts";
import { createCallLimits, type NetworkLimits } from "../../policy/rate-limits/call-limits.ts";
import type { Integrations } from "./integrations.ts";
import { WorkspaceCache } from "./workspace-cache.ts";

/** The plans of workspaces. */
export interface WorkspacePlans {
  readonly names: readonly string[];
  /** Returns the name and the limits of a workspace's plan. */
  find(workspaceId: string): Promise<{ readonly name: string; readonly figures: Plan }>;
  /**
   * Changes the plan of a workspace. The change applies to later calls, in other processes within a second.
   * @throws YagateError `NOT_FOUND`.
   */
  change(workspaceId: string, plan: string, recorder?: ChangeRecorder): Promise<WorkspaceRow>;
}

export interface NetworkLimitsOptions {
  readonly store: { readonly workspaces: WorkspaceStore; readonly rateLimits: RateLimitStore };
  readonly plans: PlanCatalog;
  readonly integrations: Integrations;
  readonly now: () => number;
  /**
   * Maximum age of a cached plan in ms. Unlimited by default, which requires that no other process changes the plan.
   */
  readonly maxAgeMs?: number;
}

/** Creates the limits of network tools from the stored plans of workspaces and from their integrations. */
export function createNetworkLimits(options: NetworkLimitsOptions): {
  readonly limits: NetworkLimits;
  readonly workspacePlans: WorkspacePlans;
} {
  const { store, plans, integrations, now, ...age } = options;
  const { workspaces, rateLimits } = store;
  const known = new WorkspaceCache({
    now,
    load: async (workspaceId) => plans.find((await workspaces.find(workspaceId))?.plan ?? DEFAULT_PLAN),
    ...age,
  });
  const limits = createCallLimits({
    store: rateLimits,
    planOf: async (workspaceId) => (await known.find(workspaceId)).figures,
    async integrationsOf({ workspaceId, host, integrations: names }) {
      const enabled = await (names === "all"
        ? integrations.all(workspaceId)
        : integrations.enabled(workspaceId, names));
      const belonging = enabled.filter(({ allows }) => allows(host));
      if (belonging.length === 0) return [];
      const plan = await known.find(workspaceId);
      return belonging.map(({ name, limits }) => ({ name, limits: limits[plan.name] ?? {} }));
    },
    now,
  });
  return {
    limits,
    workspacePlans: {
      names: plans.names,
      find: (workspaceId) => known.find(workspaceId),
      async change(workspaceId, plan, recorder) {
        const audit = recorder?.of(workspaceId, "workspace.updated", WORKSPACE_SUBJECT);
        const row = await workspaces.setPlan(workspaceId, plan, audit);
        known.forget(workspaceId);
        return row;
      },
    },
  };
}
