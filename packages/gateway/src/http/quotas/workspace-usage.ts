import type { QuotaName, Quotas, QuotaUsage, WorkspaceUsage } from "@yagate/protocol";
import type { UsageStore } from "@yagate/store/port";
import type { KnownStoredBytes } from "@yagate/store/quotas/follow-stored-bytes";
import type { StreamAdmission } from "./open-streams.ts";
import type { RequestAdmission } from "./request-admission.ts";

export interface WorkspaceUsageOptions {
  readonly store: UsageStore;
  readonly storedBytes: KnownStoredBytes;
  readonly planOf: (workspaceId: string) => Promise<{ readonly name: string; readonly figures: Quotas }>;
  readonly requests: RequestAdmission;
  readonly streams: StreamAdmission;
}

/** Reads the quota usage of a workspace. */
export type ReadUsage = (workspaceId: string) => Promise<WorkspaceUsage>;

export function createReadUsage({ store, storedBytes, planOf, requests, streams }: WorkspaceUsageOptions): ReadUsage {
  return async (workspaceId) => {
    const [plan, counts] = await Promise.all([planOf(workspaceId), store.counts(workspaceId)]);
    const { figures } = plan;
    const perWorkspace = (quota: QuotaName, used: number): QuotaUsage => ({
      limit: figures[quota],
      used,
      countedBy: "workspace",
    });
    const perReplica = (quota: QuotaName, used: number): QuotaUsage => ({
      limit: figures[quota],
      used,
      countedBy: "replica",
    });
    return {
      workspaceId,
      plan: plan.name,
      quotas: {
        agents: perWorkspace("agents", counts.agents),
        tools: perWorkspace("tools", counts.tools),
        secrets: perWorkspace("secrets", counts.secrets),
        pendingExecutions: perWorkspace("pendingExecutions", counts.pendingExecutions),
        storedBytes: {
          ...perWorkspace("storedBytes", storedBytes.of(workspaceId)),
          asOf: new Date(storedBytes.asOf()).toISOString(),
          ...(storedBytes.isPartial() ? { isPartial: true } : {}),
        },
        eventStreams: perReplica("eventStreams", streams.used(workspaceId)),
        eventStreamsPerExecution: perReplica("eventStreamsPerExecution", streams.mostOfOneExecution(workspaceId)),
        requestsPerSecond: perReplica(
          "requestsPerSecond",
          requests.requestsUsed(workspaceId, figures.requestsPerSecond),
        ),
        requestBytesInFlight: perReplica("requestBytesInFlight", requests.bytesInFlight(workspaceId)),
      } satisfies Partial<Record<QuotaName, QuotaUsage>>,
    };
  };
}
