import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { type CompleteToolDefinition, isBuiltinTool, isRestTool, type Projection } from "@yagate/protocol";

/** Options for calls to a tool. Handler, composed and REST tools share them; built-in tools have none. */
export interface CallOptions {
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly maxCallsPerTurn?: number | undefined;
  readonly parallelGroup?: string | undefined;
  readonly resourceKey?: string | undefined;
  /** The part of the tool's results that the model reads; default: all of it. */
  readonly projection?: Projection | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  /** The language of the tool's texts, as a two-letter code; default: English. */
  readonly language?: string | undefined;
}

/** Returns the call options of a tool. A built-in tool has none. */
export function callOptionsOf(tool: CompleteToolDefinition): CallOptions {
  if (isBuiltinTool(tool)) return {};
  return isRestTool(tool) ? tool.rest : tool;
}

/** Returns the name under which the model calls a tool. */
export function toolName(tool: CompleteToolDefinition): string {
  if (isBuiltinTool(tool)) return resolveBuiltinName(tool.builtin) ?? tool.builtin;
  return isRestTool(tool) ? tool.rest.name : tool.name;
}
