import * as z from "zod";
import { timestampSchema } from "./json.ts";

/** A quota of a workspace, with its current usage. */
export const quotaUsageSchema = z.looseObject({
  /** The limit; null: unlimited. */
  limit: z.int().nullable(),
  used: z.int(),
  /**
   * `workspace`: counted across all replicas. `replica`: each replica counts separately, and `used` is the count of the
   * replica that responds.
   */
  countedBy: z.string(),
  /** The time to which `used` refers; absent if it was counted for this response. */
  asOf: timestampSchema.optional(),
  /**
   * Whether existing data is still being counted, so that `used` is a lower bound. Absent when everything has been
   * counted.
   */
  isPartial: z.boolean().optional(),
});
export type QuotaUsage = z.infer<typeof quotaUsageSchema>;

/** A workspace's usage of its quotas, keyed by the name of the quota. */
export const workspaceUsageSchema = z
  .looseObject({
    workspaceId: z.string(),
    /** Name of the workspace's plan. */
    plan: z.string(),
    quotas: z.record(z.string(), quotaUsageSchema),
  })
  .meta({ id: "WorkspaceUsage" });
export type WorkspaceUsage = z.infer<typeof workspaceUsageSchema>;
