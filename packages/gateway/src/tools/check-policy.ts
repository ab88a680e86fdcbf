import type { AgentPolicy } from "@yagate/protocol";
import { authorise } from "../policy/authorise.ts";
import type { AgentFinding } from "./agent-finding.ts";

/** Warns of a tool that could never run: its author has reckoned with something else. */
export function checkPolicy(
  name: string,
  path: string,
  policy: AgentPolicy,
  tool: Parameters<typeof authorise>[1],
): readonly AgentFinding[] {
  const { decision, reason } = authorise(policy, tool);
  if (decision === "allowed") return [];
  return [
    { severity: "warning", path, code: "always_denied", message: `every call of ${name} will be denied: ${reason}` },
  ];
}
