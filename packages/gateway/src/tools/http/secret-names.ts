import { type CompleteToolDefinition, isRestTool } from "@yagate/protocol";

/** Names of all secrets that an agent's tools may send. */
export function secretNamesOf(
  credentials: readonly string[],
  tools: readonly CompleteToolDefinition[],
): readonly string[] {
  return [...new Set([...credentials, ...tools.flatMap(namesOf)])];
}

function namesOf(tool: CompleteToolDefinition): readonly string[] {
  const credential = isRestTool(tool) ? tool.rest.credential : undefined;
  return credential === undefined ? [] : [credential];
}
