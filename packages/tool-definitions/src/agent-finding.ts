import { type FieldError, toWarning, type Warning, type WarningCode } from "@yagate/protocol";

/** One thing about a field of the agent. An error keeps the agent from being saved, a warning does not. */
export type AgentFinding = {
  /** As `tools[0].handler`. */
  readonly path: string;
  readonly message: string;
} & (
  | { readonly severity: "error"; readonly code: string }
  /** How severe it is follows from its code. */
  | { readonly severity: "warning"; readonly code: WarningCode }
);

/** What an agent's author must correct, and what they will want to know. */
export interface AgentCheck {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

export function toAgentCheck(findings: readonly AgentFinding[]): AgentCheck {
  const errors: FieldError[] = [];
  const warnings: Warning[] = [];
  for (const { message, path, ...finding } of findings) {
    if (finding.severity === "error") errors.push({ path, code: finding.code, message });
    else warnings.push(toWarning(finding.code, path, message));
  }
  return { errors, warnings };
}
