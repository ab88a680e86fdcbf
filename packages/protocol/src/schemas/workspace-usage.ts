import * as z from "zod";
import { timestampSchema } from "./json.ts";

/** One quota of a workspace and how much of it is used. */
export const quotaUsageSchema = z.looseObject({
  /** Null: unlimited. */
  limit: z.int().nullable(),
  used: z.int(),
  /** `replica`: each replica counts for itself, and `used` is that of the replica that answered. */
  countedBy: z.string(),
  /** When `used` was counted; absent where it was counted for this answer. */
  asOf: timestampSchema.optional(),
  /** What is there is still being counted: `used` is the least. Absent where all of it was counted. */
  isPartial: z.boolean().optional(),
});
export type QuotaUsage = z.infer<typeof quotaUsageSchema>;

/** What a workspace uses of its quotas, by the quota's name. */
export const workspaceUsageSchema = z
  .looseObject({
    workspaceId: z.string(),
    /** Name of its plan. */
    plan: z.string(),
    quotas: z.record(z.string(), quotaUsageSchema),
  })
  .meta({ id: "WorkspaceUsage" });
export type WorkspaceUsage = z.infer<typeof workspaceUsageSchema>;
