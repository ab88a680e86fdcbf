import { type CompleteToolDefinition, isBuiltinTool, isRestTool } from "@yagate/protocol";
import { resolveBuiltinName } from "./builtin/builtin-tools.ts";

/** What the model calls a tool. */
export function toolName(tool: CompleteToolDefinition): string {
  if (isBuiltinTool(tool)) return resolveBuiltinName(tool.builtin) ?? tool.builtin;
  return isRestTool(tool) ? tool.rest.name : tool.name;
}
