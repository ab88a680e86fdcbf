import { workspaceIdSchema, workspaceUsageSchema } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import * as z from "zod";
import type { ReadUsage } from "../quotas/workspace-usage.ts";
import { defineRoute, type Route } from "../route.ts";

export interface UsageRouteOptions {
  readonly readUsage: ReadUsage;
  /**
   * Returns the id of the workspace that a request addresses.
   * @throws YagateError `NOT_FOUND` if the key has no access to it.
   */
  readonly workspaceOf: (principal: Principal, wanted: string | undefined) => Promise<string>;
}

export function usageRoutes({ readUsage, workspaceOf }: UsageRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "getUsage",
      method: "get",
      path: "/v1/usage",
      summary: "Get a workspace's quota usage",
      description: "Returns the limit and the current usage of every quota. Operators may specify another workspace.",
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
