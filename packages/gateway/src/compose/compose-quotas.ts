import type { Store } from "@yagate/store/port";
import { StreamAdmission } from "../http/quotas/open-streams.ts";
import { RequestAdmission } from "../http/quotas/request-admission.ts";
import { createReadUsage } from "../http/quotas/workspace-usage.ts";
import type { ComposedPlans } from "./compose-plans.ts";
import type { ComposedStore } from "./compose-store.ts";

export type ComposedQuotas = ReturnType<typeof composeQuotas>;

/** Creates the quotas that each replica enforces separately, and the report of what a workspace uses. */
export function composeQuotas({
  store,
  storedBytes,
  plans: { quotasOf, workspacePlans },
}: {
  readonly store: Pick<Store, "usage">;
  readonly storedBytes: ComposedStore["storedBytes"];
  readonly plans: Pick<ComposedPlans, "quotasOf" | "workspacePlans">;
}) {
  const requests = new RequestAdmission({ quotasOf, monotonicNow: () => performance.now() });
  const streams = new StreamAdmission(quotasOf);
  return {
    admitRequest: (workspaceId: string) => requests.admit(workspaceId),
    streamAdmission: streams,
    readUsage: createReadUsage({
      ...{ store: store.usage, storedBytes: storedBytes.known },
      ...{ planOf: workspacePlans.find, requests, streams },
    }),
  };
}
