import type { Quotas } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import type { KnownStoredBytes } from "@yagate/store/quotas/follow-stored-bytes";
import { type AdmittedRequest, RequestAdmission } from "../http/quotas/request-admission.ts";
import { StreamAdmission } from "../http/quotas/stream-admission.ts";
import { createReadUsage } from "../http/quotas/workspace-usage.ts";
import { createAdministeredWorkspace } from "../http/requests/administered-workspace.ts";
import type { Route } from "../http/route.ts";
import { usageRoutes } from "../http/routes/usage.ts";
import type { WorkspacePlans } from "../tools/integrations/network-limits.ts";

/** What bounds workspaces by their plans, and tells what they use. */
export interface QuotaModules {
  readonly quotasOf: (workspaceId: string) => Promise<Quotas>;
  readonly admitRequest: (workspaceId: string) => Promise<AdmittedRequest>;
  readonly streamAdmission: StreamAdmission;
  readonly routes: readonly Route[];
}

export function openQuotas({
  store,
  storedBytes,
  plans,
  operatorWorkspaceId,
}: {
  readonly store: Store;
  readonly storedBytes: KnownStoredBytes;
  readonly plans: WorkspacePlans;
  readonly operatorWorkspaceId: string;
}): QuotaModules {
  const quotasOf = async (workspaceId: string) => (await plans.find(workspaceId)).figures;
  const requests = new RequestAdmission({ quotasOf, monotonicNow: () => performance.now() });
  const streams = new StreamAdmission(quotasOf);
  const readUsage = createReadUsage({ store: store.usage, storedBytes, planOf: plans.find, requests, streams });
  const workspaceOf = createAdministeredWorkspace(store.workspaces, operatorWorkspaceId);
  return {
    quotasOf,
    admitRequest: (workspaceId) => requests.admit(workspaceId),
    streamAdmission: streams,
    routes: usageRoutes({ readUsage, workspaceOf }),
  };
}
