import { workspaceIdSchema, workspaceUsageSchema } from "@yagate/protocol";
import * as z from "zod";
import type { Principal } from "../../secrets/principal.ts";
import type { ReadUsage } from "../quotas/workspace-usage.ts";
import { defineRoute, type Route } from "../route.ts";

export interface UsageRouteOptions {
  readonly readUsage: ReadUsage;
  /** The workspace that a key means; one that is not the key's to see does not exist for it. */
  readonly workspaceOf: (principal: Principal, wanted: string | undefined) => Promise<string>;
}

export function usageRoutes({ readUsage, workspaceOf }: UsageRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "getUsage",
      method: "get",
      path: "/v1/usage",
      summary: "Read what the workspace uses of its quotas",
      description: "Limits and use of every quota. Operators may name another workspace.",
      tag: "workspaces",
      scopes: ["agents", "executions", "tools", "secrets", "operations", "admin"],
      problems: ["NOT_FOUND"],
      query: z.strictObject({ workspaceId: workspaceIdSchema.optional() }),
      status: 200,
      response: workspaceUsageSchema,
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await readUsage(await workspaceOf(principal, query.workspaceId)),
      }),
    }),
  ];
}
