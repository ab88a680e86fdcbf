import * as z from "zod";

/**
 * What a tool changes outside the gateway, as declared by its author. It determines retries, parallelism and approvals.
 */
export const sideEffectSchema = z.enum(["read_only", "idempotent_write", "non_idempotent_write", "destructive"]);
export type SideEffect = z.infer<typeof sideEffectSchema>;

/** How much harm a call can do. It is derived from the side effect unless the author sets it. */
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
 * Which additional calls need an approval after the model has read untrusted content, from the least to the most
 * strict. `allow`: none. `approve_writes`: calls to tools that are declared as writes. `approve_undeclared`: also calls
 * to tools that declare neither a side effect nor a risk class.
 */
export const untrustedModeSchema = z.enum(["allow", "approve_writes", "approve_undeclared"]);

/** Which calls need an approval. */
export const approvalModeSchema = z.enum(["destructive", "writes", "always", "never"]);
export type ApprovalMode = z.infer<typeof approvalModeSchema>;

/** Kinds of tools that a policy can allow or deny. */
export const toolKindSchema = z.enum(["handler", "network", "compute", "data", "file", "shell"]);
export type ToolKind = z.infer<typeof toolKindSchema>;
