import type { AgentPolicy, RestDefinition } from "@yagate/protocol";
import { riskOf } from "../../policy/risk.ts";
import type { SecretUse } from "../../secrets/workspace-secrets.ts";
import type { AgentFinding } from "../agent-finding.ts";
import { checkPolicy } from "../check-policy.ts";
import type { HandlerUrlCheck } from "../handler-url-check.ts";
import { checkRestTool } from "./check-rest-tool.ts";
import { restSideEffect } from "./rest-side-effect.ts";

/** Checks a REST tool among an agent's tools. @param path - where its definition stands, as `tools[0].rest`. */
export async function checkRestEntry(
  definition: RestDefinition,
  path: string,
  policy: AgentPolicy,
  {
    handlerUrlProblem,
    describeSecrets,
  }: {
    readonly handlerUrlProblem: HandlerUrlCheck;
    readonly describeSecrets: (names: readonly string[]) => Promise<ReadonlyMap<string, SecretUse>>;
  },
): Promise<readonly AgentFinding[]> {
  const { name, risk: declared, approval } = definition;
  const findSecret = async (secret: string) => {
    const found = (await describeSecrets([secret])).get(secret);
    return found && { auth: found.auth, hosts: [...found.hosts] };
  };
  const findings = await checkRestTool(definition, path, { urlProblem: handlerUrlProblem, findSecret });
  const risk = riskOf({ sideEffect: restSideEffect(definition) ?? undefined, risk: declared });
  return [...findings, ...checkPolicy(name, path, policy, { kind: "network", risk, approval })];
}
