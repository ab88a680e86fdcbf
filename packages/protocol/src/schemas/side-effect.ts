import * as z from "zod";

/** What a tool does to the world, as its author declares it; decides retries, parallelism and approval. */
export const sideEffectSchema = z.enum(["read_only", "idempotent_write", "non_idempotent_write", "destructive"]);
export type SideEffect = z.infer<typeof sideEffectSchema>;

/** How much harm a call can do; follows from the side effect unless the author says more. */
export const riskClassSchema = z.enum([
  "read_only",
  "external_read",
  "draft_write",
  "idempotent_write",
  "business_write",
  "destructive",
]);
export type RiskClass = z.infer<typeof riskClassSchema>;

/**
 * What an execution may do once its model has read untrusted content, from the mildest to the strictest. `allow`: nothing
 * changes. `approve_writes`: declared writes ask a person first. `approve_undeclared`: so do tools that declare neither a
 * side effect nor a risk.
 */
export const untrustedModeSchema = z.enum(["allow", "approve_writes", "approve_undeclared"]);

/** Which calls ask a person first. */
export const approvalModeSchema = z.enum(["destructive", "writes", "always", "never"]);
export type ApprovalMode = z.infer<typeof approvalModeSchema>;

/** Kinds of tools, allowed or denied per agent apart from their names. */
export const toolKindSchema = z.enum(["handler", "network", "compute", "data", "file", "shell"]);
export type ToolKind = z.infer<typeof toolKindSchema>;
