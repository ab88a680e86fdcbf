import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { type CompleteToolDefinition, isBuiltinTool, isRestTool, type Projection } from "@yagate/protocol";

/** What an author says of the calls of a tool, of whatever kind. */
export interface CallOptions {
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly maxCallsPerTurn?: number | undefined;
  readonly parallelGroup?: string | undefined;
  readonly resourceKey?: string | undefined;
  /** What of its results a model reads; the whole by default. */
  readonly projection?: Projection | undefined;
  readonly dependsOn?: readonly string[] | undefined;
}

/** The options of an entry; a built-in has none. */
export function callOptionsOf(tool: CompleteToolDefinition): CallOptions {
  if (isBuiltinTool(tool)) return {};
  return isRestTool(tool) ? tool.rest : tool;
}

/** What the model calls a tool. */
export function toolName(tool: CompleteToolDefinition): string {
  if (isBuiltinTool(tool)) return resolveBuiltinName(tool.builtin) ?? tool.builtin;
  return isRestTool(tool) ? tool.rest.name : tool.name;
}
