import type { AgentPolicy, ApprovalMode, PolicyDecision, RiskClass, ToolKind } from "@yagate/protocol";

/** What declares that it changes something. */
const WRITES: ReadonlySet<RiskClass> = new Set(["draft_write", "idempotent_write", "business_write", "destructive"]);

/** What of a tool decides whether it may run. */
export interface AuthorisedTool {
  readonly kind: ToolKind;
  readonly risk: RiskClass | null;
  readonly approval?: ApprovalMode | undefined;
  /**
   * Of the kind `network`: where it goes is the gateway's own affair, as for a search, so that listing it is enough;
   * default false. For all others `policy.network` must be true.
   */
  readonly isOnByListing?: boolean | undefined;
}

/** What of an agent's policy decides about its tools. */
export type AuthorisingPolicy = Pick<AgentPolicy, "network" | "toolKinds" | "approval">;

/**
 * Whether an agent's policy lets a tool run, at once or after a person has agreed, and why. The same for every call of
 * the tool in this version.
 */
export function authorise(policy: AuthorisingPolicy, tool: AuthorisedTool): PolicyDecision {
  if (policy.toolKinds !== undefined && !policy.toolKinds.includes(tool.kind)) {
    return { decision: "denied", reason: `the agent's policy does not allow tools of the kind ${tool.kind}` };
  }
  if (tool.kind === "network" && !policy.network && tool.isOnByListing !== true) {
    return {
      decision: "denied",
      reason: "the agent's policy does not allow the network: its field network is not true",
    };
  }
  const mode = tool.approval ?? policy.approval;
  if (needsApproval(mode, tool.risk)) {
    const of = tool.risk === null ? "this tool" : `tools of the risk class ${tool.risk}`;
    return { decision: "approval_required", reason: `the approval mode "${mode}" asks a person before ${of}` };
  }
  return { decision: "allowed", reason: tool.risk === null ? "listed by the agent" : `risk class ${tool.risk}` };
}

/**
 * Whether calls of a tool ask a person once the execution has read untrusted content: those of declared writes, and where
 * the agent wants it those that declare nothing; unless the agent or the tool says that they never ask, or the agent that
 * such content changes nothing.
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
