import type { AgentPolicy, RestDefinition } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { riskOf } from "../../policy/risk.ts";
import type { FindCredential } from "../checks/check-agent-access.ts";
import { checkPolicy } from "../checks/check-policy.ts";
import type { HandlerUrlCheck } from "../checks/handler-url-check.ts";
import { checkRestTool } from "./check-rest-tool.ts";
import { restSideEffect } from "./rest-side-effect.ts";

/** Checks a REST tool among an agent's tools. @param path - where it stands, as `tools[0]`. */
export async function checkRestEntry(
  definition: RestDefinition,
  path: string,
  policy: AgentPolicy,
  {
    handlerUrlProblem,
    findSecret,
  }: {
    readonly handlerUrlProblem: HandlerUrlCheck;
    readonly findSecret: FindCredential;
  },
): Promise<readonly AgentFinding[]> {
  const { name, risk: declared, approval } = definition;
  const find = async (secret: string) => {
    const found = await findSecret(secret);
    return found && { auth: found.auth, hosts: [...found.hosts] };
  };
  const findings = await checkRestTool(definition, `${path}.rest`, { urlProblem: handlerUrlProblem, findSecret: find });
  const risk = riskOf({ sideEffect: restSideEffect(definition) ?? undefined, risk: declared });
  return [...findings, ...checkPolicy(name, path, policy, { kind: "network", risk, approval })];
}
