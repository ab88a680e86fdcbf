import type { QuotaName, Quotas, QuotaUsage, WorkspaceUsage } from "@yagate/protocol";
import type { KnownStoredBytes } from "@yagate/store/quotas/follow-stored-bytes";
import type { UsageStore } from "@yagate/store/quotas/usage-store";
import type { RequestAdmission } from "./request-admission.ts";
import type { StreamAdmission } from "./stream-admission.ts";

export interface WorkspaceUsageOptions {
  readonly store: UsageStore;
  readonly storedBytes: KnownStoredBytes;
  readonly planOf: (workspaceId: string) => Promise<{ readonly name: string; readonly figures: Quotas }>;
  readonly requests: RequestAdmission;
  readonly streams: StreamAdmission;
}

/** Tells what a workspace uses of its quotas. */
export type ReadUsage = (workspaceId: string) => Promise<WorkspaceUsage>;

export function createReadUsage({ store, storedBytes, planOf, requests, streams }: WorkspaceUsageOptions): ReadUsage {
  return async (workspaceId) => {
    const [plan, counts] = await Promise.all([planOf(workspaceId), store.counts(workspaceId)]);
    const { figures } = plan;
    const together = (quota: QuotaName, used: number): QuotaUsage => ({
      limit: figures[quota],
      used,
      countedBy: "workspace",
    });
    const here = (quota: QuotaName, used: number): QuotaUsage => ({
      limit: figures[quota],
      used,
      countedBy: "replica",
    });
    return {
      workspaceId,
      plan: plan.name,
      quotas: {
        agents: together("agents", counts.agents),
        tools: together("tools", counts.tools),
        secrets: together("secrets", counts.secrets),
        pendingExecutions: together("pendingExecutions", counts.pendingExecutions),
        storedBytes: {
          ...together("storedBytes", storedBytes.of(workspaceId)),
          asOf: new Date(storedBytes.asOf()).toISOString(),
          ...(storedBytes.isPartial() ? { isPartial: true } : {}),
        },
        eventStreams: here("eventStreams", streams.used(workspaceId)),
        eventStreamsPerExecution: here("eventStreamsPerExecution", streams.mostOfOneExecution(workspaceId)),
        requestsPerSecond: here("requestsPerSecond", requests.requestsUsed(workspaceId, figures.requestsPerSecond)),
        requestBytesInFlight: here("requestBytesInFlight", requests.bytesInFlight(workspaceId)),
      } satisfies Partial<Record<QuotaName, QuotaUsage>>,
    };
  };
}
