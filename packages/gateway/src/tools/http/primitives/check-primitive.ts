import { riskOf } from "@yagate/lib/tools/risk-of";
import type { AgentPolicy, BuiltinToolDefinition } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { checkSideEffect } from "@yagate/tool-definitions/checks/check-side-effect";
import { checkPolicy } from "../../checks/check-policy.ts";
import type { Primitive } from "./primitive.ts";
import { parsePrimitiveConfig } from "./primitive-config.ts";

/**
 * Checks a primitive among an agent's tools.
 * @param path - the path of the tool, such as `tools[0]`.
 */
export function checkPrimitive(
  { name, sideEffect: evident }: Primitive,
  definition: BuiltinToolDefinition,
  path: string,
  policy: AgentPolicy,
): readonly AgentFinding[] {
  const parsed = parsePrimitiveConfig(definition, path);
  if (!("config" in parsed)) return parsed.problems.map((problem) => ({ severity: "error", ...problem }));
  const { approval, risk: declared, sideEffect = evident } = parsed.config;
  const risk = riskOf({ sideEffect, risk: declared });
  return [
    ...checkSideEffect(name, sideEffect, `${path}.config`),
    ...checkPolicy(name, path, policy, { kind: "network", risk, approval }),
  ];
}
