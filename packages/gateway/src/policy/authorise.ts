import type { AgentPolicy, ApprovalMode, PolicyDecision, RiskClass, ToolKind } from "@yagate/protocol";

/** The risk classes of tools that write. */
const WRITES: ReadonlySet<RiskClass> = new Set(["draft_write", "idempotent_write", "business_write", "destructive"]);

/** The traits of a tool that decide whether it may run. */
export interface AuthorisedTool {
  readonly kind: ToolKind;
  readonly risk: RiskClass | null;
  readonly approval?: ApprovalMode | undefined;
  /**
   * Whether it is enough that the agent lists a tool of the kind `network`, because the gateway chooses the tool's
   * destination, as for a search; default false. All other network tools also require `policy.network`.
   */
  readonly isOnByListing?: boolean | undefined;
}

/** The parts of an agent's policy that decide whether its tools may run. */
export type AuthorisingPolicy = Pick<AgentPolicy, "network" | "toolKinds" | "approval">;

/**
 * Decides whether an agent's policy allows a tool, denies it or requires an approval, and gives the reason. The
 * decision is the same for every call to the tool in one version of the agent.
 */
export function authorise(policy: AuthorisingPolicy, tool: AuthorisedTool): PolicyDecision {
  if (policy.toolKinds !== undefined && !policy.toolKinds.includes(tool.kind)) {
    return { decision: "denied", reason: `the agent's policy does not allow tools of kind ${tool.kind}` };
  }
  if (tool.kind === "network" && !policy.network && tool.isOnByListing !== true) {
    return {
      decision: "denied",
      reason: "the agent's policy does not allow network access: policy.network is not true",
    };
  }
  const mode = tool.approval ?? policy.approval;
  if (needsApproval(mode, tool.risk)) {
    const of = tool.risk === null ? "this tool" : `tools of risk class ${tool.risk}`;
    return { decision: "approval_required", reason: `the approval mode "${mode}" requires approval for ${of}` };
  }
  return { decision: "allowed", reason: tool.risk === null ? "listed by the agent" : `risk class ${tool.risk}` };
}

/**
 * Returns whether calls to a tool require approval once the execution has read untrusted content. They do if the tool
 * declares a write or, under `approve_undeclared`, no side effect. They never do if the approval mode is `never` or
 * `policy.untrusted` is `allow`.
 */
export function asksAfterUntrusted(
  policy: Pick<AgentPolicy, "approval" | "untrusted">,
  { risk, approval }: Pick<AuthorisedTool, "risk" | "approval">,
): boolean {
  if (policy.untrusted === "allow" || (approval ?? policy.approval) === "never") return false;
  return risk === null ? policy.untrusted === "approve_undeclared" : WRITES.has(risk);
}

function needsApproval(mode: ApprovalMode, risk: RiskClass | null): boolean {
  switch (mode) {
    case "always":
      return true;
    case "never":
      return false;
    case "writes":
      return risk !== null && WRITES.has(risk);
    case "destructive":
      return risk === "destructive";
  }
}
