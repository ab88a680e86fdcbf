import { z } from "zod";

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

/** Which calls ask a person first. */
/**
 * What a run may do once its model has read untrusted content. `approve_writes`: declared writes ask a person first,
 * `allow`: nothing changes.
 */
export const untrustedModeSchema = z.enum(["approve_writes", "allow"]);

export const approvalModeSchema = z.enum(["destructive", "writes", "always", "never"]);
export type ApprovalMode = z.infer<typeof approvalModeSchema>;

/** Kinds of tools, allowed or denied per agent apart from their names. */
export const toolKindSchema = z.enum(["handler", "network", "compute", "data", "file", "shell"]);
export type ToolKind = z.infer<typeof toolKindSchema>;
