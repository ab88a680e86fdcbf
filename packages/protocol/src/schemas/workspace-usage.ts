import * as z from "zod";
import { timestampSchema } from "./json.ts";

/** One quota of a workspace and its current use. */
export const quotaUsageSchema = z.looseObject({
  /** The limit; null: unlimited. */
  limit: z.int().nullable(),
  used: z.int(),
  /**
   * `workspace`: counted for all replicas together. `replica`: each replica counts separately, and `used` is the count
   * of the replica that responds.
   */
  countedBy: z.string(),
  /** When `used` was counted; absent if it was counted for this response. */
  asOf: timestampSchema.optional(),
  /**
   * Whether existing data is still being counted, which makes `used` a lower bound. Absent once everything is counted.
   */
  isPartial: z.boolean().optional(),
});
export type QuotaUsage = z.infer<typeof quotaUsageSchema>;

/** How much of its quotas a workspace uses, keyed by the name of the quota. */
export const workspaceUsageSchema = z
  .looseObject({
    workspaceId: z.string(),
    /** Name of the workspace's plan. */
    plan: z.string(),
    quotas: z.record(z.string(), quotaUsageSchema),
  })
  .meta({ id: "WorkspaceUsage" });
export type WorkspaceUsage = z.infer<typeof workspaceUsageSchema>;
