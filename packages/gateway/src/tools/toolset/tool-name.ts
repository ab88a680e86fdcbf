import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { type CompleteToolDefinition, isBuiltinTool, isRestTool } from "@yagate/protocol";

/** What the model calls a tool. */
export function toolName(tool: CompleteToolDefinition): string {
  if (isBuiltinTool(tool)) return resolveBuiltinName(tool.builtin) ?? tool.builtin;
  return isRestTool(tool) ? tool.rest.name : tool.name;
}
