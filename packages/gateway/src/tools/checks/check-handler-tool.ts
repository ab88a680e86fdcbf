import { riskOf } from "@yagate/lib/tools/risk-of";
import type { AgentPolicy, HandlerToolDefinition } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { checkParameters } from "@yagate/tool-definitions/checks/check-parameters";
import { checkProjection } from "@yagate/tool-definitions/checks/check-projection";
import { checkResourceKey } from "@yagate/tool-definitions/checks/check-resource-key";
import { checkSideEffect } from "@yagate/tool-definitions/checks/check-side-effect";
import { checkStaticHeaders } from "@yagate/tool-definitions/checks/check-static-headers";
import type { HandlerUrlCheck } from "@yagate/tool-definitions/checks/handler-url-check";
import type { DescribeSecrets } from "@yagate/tool-definitions/checks/secret-lookups";
import { checkPolicy } from "./check-policy.ts";

export interface HandlerToolCheckOptions {
  readonly handlerUrlProblem: HandlerUrlCheck;
  /** Whether the gateway has a public URL for callbacks. */
  readonly canBeCalledBack: boolean;
  /** Checks whether the agent's workspace has a current signing secret with this name. */
  readonly hasSigningSecret: (name: string) => Promise<boolean>;
  /** Returns metadata of secrets. Called only if a header refers to a secret. */
  readonly describeSecrets: DescribeSecrets;
}

/**
 * Checks a handler tool.
 *
 * @param path - the path of the tool, such as `tools[0]`.
 */
export async function checkHandlerTool(
  tool: HandlerToolDefinition,
  path: string,
  policy: AgentPolicy,
  { handlerUrlProblem, canBeCalledBack, hasSigningSecret, describeSecrets }: HandlerToolCheckOptions,
): Promise<readonly AgentFinding[]> {
  const findings: AgentFinding[] = [...checkParameters(tool.parameters, path)];
  const urlProblem = await handlerUrlProblem(tool.handler);
  if (urlProblem !== undefined) {
    findings.push({ severity: "error", path: `${path}.handler`, code: "URL_NOT_ALLOWED", message: urlProblem });
  }
  if (tool.async === true && !canBeCalledBack) {
    const message = `expected a gateway with a public URL for callbacks: set YAGATE_PUBLIC_URL, or remove async from the tool "${tool.name}"`;
    findings.push({ severity: "error", path: `${path}.async`, code: "PUBLIC_URL_MISSING", message });
  }
  if (tool.signingSecret !== undefined && !(await hasSigningSecret(tool.signingSecret))) {
    const message = `expected a signing secret of the workspace; ${tool.signingSecret} does not exist`;
    findings.push({ severity: "error", path: `${path}.signingSecret`, code: "UNKNOWN_SIGNING_SECRET", message });
  }
  findings.push(...(await checkStaticHeaders(tool, path, describeSecrets)));
  findings.push(...checkSideEffect(tool.name, tool.sideEffect, path));
  const { approval } = tool;
  findings.push(...checkResourceKey(tool, path), ...checkProjection(tool.projection, path));
  return [...findings, ...checkPolicy(tool.name, path, policy, { kind: "handler", risk: riskOf(tool), approval })];
}
