import * as z from "zod";
import { timestampSchema } from "./json.ts";

/** One quota of a workspace, and its use. */
export const quotaUsageSchema = z.looseObject({
  /** Null: unlimited. */
  limit: z.int().nullable(),
  used: z.int(),
  /** `replica`: each replica counts for itself, and `used` is that of the replica that responds. */
  countedBy: z.string(),
  /** When `used` was counted; absent if it was counted for this response. */
  asOf: timestampSchema.optional(),
  /** Existing data is still being counted: `used` is a lower bound. Absent if everything is counted. */
  isPartial: z.boolean().optional(),
});
export type QuotaUsage = z.infer<typeof quotaUsageSchema>;

/** What a workspace uses of its quotas, by the name of the quota. */
export const workspaceUsageSchema = z
  .looseObject({
    workspaceId: z.string(),
    /** Name of its plan. */
    plan: z.string(),
    quotas: z.record(z.string(), quotaUsageSchema),
  })
  .meta({ id: "WorkspaceUsage" });
export type WorkspaceUsage = z.infer<typeof workspaceUsageSchema>;
