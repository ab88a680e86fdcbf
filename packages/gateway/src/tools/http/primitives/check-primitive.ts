import type { AgentPolicy, BuiltinToolDefinition } from "@yagate/protocol";
import { riskOf } from "../../../policy/risk.ts";
import type { AgentFinding } from "../../agent-finding.ts";
import { checkPolicy } from "../../check-policy.ts";
import type { Primitive } from "./primitive.ts";
import { parsePrimitiveConfig } from "./primitive-config.ts";

/** Checks a primitive among an agent's tools. @param path - where it stands, as `tools[0]`. */
export function checkPrimitive(
  { name, sideEffect }: Primitive,
  definition: BuiltinToolDefinition,
  path: string,
  policy: AgentPolicy,
): readonly AgentFinding[] {
  const parsed = parsePrimitiveConfig(definition, path);
  const findings =
    "config" in parsed ? [] : parsed.problems.map((problem): AgentFinding => ({ severity: "error", ...problem }));
  const approval = "config" in parsed ? parsed.config.approval : undefined;
  return [...findings, ...checkPolicy(name, path, policy, { kind: "network", risk: riskOf({ sideEffect }), approval })];
}
