import { type FieldError, toWarning, type Warning, type WarningCode } from "@yagate/protocol";

/** A finding about a field of an agent. An error prevents saving; a warning does not. */
export type AgentFinding = {
  /** Path of the field, such as `tools[0].handler`. */
  readonly path: string;
  readonly message: string;
} & (
  | { readonly severity: "error"; readonly code: string }
  /** A warning, whose code determines its level. */
  | { readonly severity: "warning"; readonly code: WarningCode }
);

/** The errors that an agent's author must correct, and the warnings. */
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
