import type { UntrustedRead } from "@yagate/execution-machine/untrusted-reads";
import type { PolicyDecision, RiskClass } from "@yagate/protocol";

/**
 * Returns the policy decision for a call after its model has read untrusted content. It is never less strict than the
 * policy.
 *
 * @param reads - the untrusted content in the order in which the model read it; if empty, the policy alone decides.
 */
export function applyTaint(
  reads: readonly UntrustedRead[],
  tool: {
    readonly policyDecision: PolicyDecision;
    readonly risk: RiskClass | null;
    readonly asksAfterUntrusted?: boolean;
  },
): PolicyDecision {
  const { policyDecision, risk, asksAfterUntrusted = false } = tool;
  const last = reads.at(-1);
  if (last === undefined || !asksAfterUntrusted || policyDecision.decision !== "allowed") return policyDecision;
  const source = last.origin === undefined ? `results of ${last.tool}` : `${last.origin} through ${last.tool}`;
  const others = new Set(reads.map(({ tool: name, origin }) => `${name} ${origin}`)).size - 1;
  const more = others === 0 ? "" : ` and ${others} more ${others === 1 ? "source" : "sources"}`;
  return {
    decision: "approval_required",
    reason: `after reading untrusted content (${source}${more}), the model needs an approval for ${toolsOf(risk)}`,
  };
}

function toolsOf(risk: RiskClass | null): string {
  return risk === null ? "tools that declare no side effect" : `tools of the risk class ${risk}`;
}
