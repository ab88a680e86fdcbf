import type { HandlerToolDefinition, RestDefinition } from "@yagate/protocol";
import type { McpToolDefinition, SourcedDefinition } from "./port.ts";

/** Returns the part of a definition that contains its texts and call options. */
export function declaredOptions(
  definition: SourcedDefinition,
): HandlerToolDefinition | McpToolDefinition | RestDefinition {
  return "rest" in definition ? definition.rest : definition;
}
