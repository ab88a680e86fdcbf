import { type Agent, type CompleteToolDefinition, isComposedTool, isHandlerTool, isRestTool } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { secretsInHeaders } from "../executors/static-headers.ts";
import { secretsNamedBy } from "./check-agent-composed-tools.ts";

/**
 * Maximum number of secrets. The gateway searches every request and response of the agent for the values of all its
 * secrets.
 */
const MAX_SECRETS = 100;

/** Checks that an agent and its tools refer to at most 100 secrets. */
export function checkAgentSecrets(
  { credentials }: Pick<Agent, "credentials">,
  tools: readonly CompleteToolDefinition[],
): readonly AgentFinding[] {
  const names = new Set(credentials);
  for (const [index, tool] of tools.entries()) {
    for (const name of secretsOf(tool)) names.add(name);
    if (names.size <= MAX_SECRETS) continue;
    const message = `expected at most ${MAX_SECRETS} secrets in an agent's credentials and tools together; this tool exceeds the limit`;
    return [{ severity: "error", path: `tools[${index}]`, code: "TOO_MANY_SECRETS", message }];
  }
  return [];
}

function secretsOf(tool: CompleteToolDefinition): readonly string[] {
  if (isComposedTool(tool)) return secretsNamedBy(tool);
  if (isHandlerTool(tool)) return secretsInHeaders(tool);
  const credential = isRestTool(tool) ? tool.rest.credential : undefined;
  return credential === undefined ? [] : [credential];
}
