import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { type ComposedToolDefinition, toolKindSchema } from "@yagate/protocol";
import type { RequestPrimitive } from "@yagate/tool-definitions/placeholders/request-template";
import { isPrimitiveName } from "../toolset/primitive-name.ts";

/** What the calls of a composed tool become. */
export type Target =
  | { readonly primitive: RequestPrimitive }
  | { readonly builtin: BuiltinTool }
  | { readonly tool: ComposedToolDefinition };

/** Where targets are found. */
export interface Targets {
  /** By their own names. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  /** The composed tools of the same agent, by name. */
  readonly tools: ReadonlyMap<string, ComposedToolDefinition>;
}

/** @returns undefined when nothing of this name can stand behind a composed tool. */
export function findTarget(name: string, { builtins, tools }: Targets): Target | undefined {
  if (name === "http_request" || name === "webhook") return { primitive: name };
  const builtin = builtins.get(resolveBuiltinName(name) ?? name);
  if (builtin?.kind === "compute") return { builtin };
  const tool = tools.get(name);
  return tool && { tool };
}

/** Names that mean something else than a tool of the agent, wherever they stand. */
export function isReservedName(name: string, builtins: ReadonlyMap<string, BuiltinTool>): boolean {
  return name === "http_request" || isPrimitiveName(name) || builtins.has(resolveBuiltinName(name) ?? name);
}

/** Whether something of this name is known, but no way for a template. */
export function isUnsupportedTarget(name: string, builtins: ReadonlyMap<string, BuiltinTool>): boolean {
  return isReservedName(name, builtins) || toolKindSchema.safeParse(name).success;
}

/** The primitives and built-ins that a composed tool may name. */
export function namesOfPrimitives(builtins: ReadonlyMap<string, BuiltinTool>): readonly string[] {
  const computing = [...builtins.values()].filter(({ kind }) => kind === "compute").map(({ name }) => name);
  return ["http_request", "webhook", ...computing];
}
