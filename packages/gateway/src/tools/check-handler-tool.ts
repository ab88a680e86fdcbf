import type { AgentPolicy, HandlerToolDefinition } from "@yagate/protocol";
import { riskOf } from "../policy/risk.ts";
import type { AgentFinding } from "./agent-finding.ts";
import { checkParametersSchema } from "./arguments/check-parameters-schema.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkResourceKey } from "./check-resource-key.ts";
import { fieldPath } from "./field-path.ts";
import type { HandlerUrlCheck } from "./handler-url-check.ts";

export interface HandlerToolCheckOptions {
  readonly handlerUrlProblem: HandlerUrlCheck;
  /** Whether handlers have an address to bring results to. */
  readonly canBeCalledBack: boolean;
  /** Whether the agent's workspace has a live signing secret of this name. */
  readonly hasSigningSecret: (name: string) => Promise<boolean>;
}

/**
 * Checks a tool whose code is a webhook.
 *
 * @param path - where the tool stands, as `tools[0]`.
 */
export async function checkHandlerTool(
  tool: HandlerToolDefinition,
  path: string,
  policy: AgentPolicy,
  { handlerUrlProblem, canBeCalledBack, hasSigningSecret }: HandlerToolCheckOptions,
): Promise<readonly AgentFinding[]> {
  const findings: AgentFinding[] = checkParametersSchema(tool.parameters).map((issue) => ({
    severity: "error",
    path: fieldPath(`${path}.parameters`, tool.parameters, issue.path),
    code: issue.code,
    message: issue.message,
  }));
  const urlProblem = await handlerUrlProblem(tool.handler);
  if (urlProblem !== undefined) {
    findings.push({ severity: "error", path: `${path}.handler`, code: "url_not_allowed", message: urlProblem });
  }
  if (tool.async === true && !canBeCalledBack) {
    const message = `expected a gateway that handlers can reach: set YAGATE_PUBLIC_URL, or leave async out of the tool "${tool.name}"`;
    findings.push({ severity: "error", path: `${path}.async`, code: "public_url_missing", message });
  }
  if (tool.signingSecret !== undefined && !(await hasSigningSecret(tool.signingSecret))) {
    const message = `expected a signing secret of the workspace; ${tool.signingSecret} does not exist`;
    findings.push({ severity: "error", path: `${path}.signingSecret`, code: "unknown_signing_secret", message });
  }
  if (tool.sideEffect === undefined) {
    const message =
      `${tool.name} declares no side effect: unless approval is always, nobody is asked before it runs, and after an ` +
      "unknown outcome (a timeout, a crash) it is sent again only if it has retries; " +
      "declare read_only, idempotent_write, non_idempotent_write or destructive";
    findings.push({ severity: "warning", path: `${path}.sideEffect`, code: "side_effect_undeclared", message });
  }
  const { approval } = tool;
  findings.push(...checkResourceKey(tool, path));
  return [...findings, ...checkPolicy(tool.name, path, policy, { kind: "handler", risk: riskOf(tool), approval })];
}
