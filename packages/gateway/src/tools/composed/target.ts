import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { type ComposedToolDefinition, PRIMITIVE_NAMES, toolKindSchema } from "@yagate/protocol";
import {
  parseRequest,
  type RequestParts,
  type RequestPrimitive,
} from "@yagate/tool-definitions/placeholders/request-template";
import type { TemplateReader } from "@yagate/tool-definitions/placeholders/template-reader";
import type { ArgumentTemplates } from "@yagate/tool-definitions/placeholders/value-template";

/** What a composed tool calls: a primitive, a built-in tool or another composed tool. */
export type Target =
  | { readonly primitive: RequestPrimitive }
  | { readonly builtin: BuiltinTool }
  | { readonly tool: ComposedToolDefinition };

/** The possible targets of an agent's composed tools. */
export interface Targets {
  /** Built-in tools by name. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  /** The composed tools of the same agent, by name. */
  readonly tools: ReadonlyMap<string, ComposedToolDefinition>;
}

/**
 * Finds the target with this name.
 * @returns undefined if the name is not a valid target of a composed tool.
 */
export function findTarget(name: string, { builtins, tools }: Targets): Target | undefined {
  if (name === "http_request" || name === "webhook") return { primitive: name };
  const builtin = builtins.get(resolveBuiltinName(name) ?? name);
  if (builtin?.kind === "compute") return { builtin };
  const tool = tools.get(name);
  return tool && { tool };
}

/** A target with named arguments: a built-in tool or another composed tool. */
export type DelegationTarget = Exclude<Target, { readonly primitive: RequestPrimitive }>;

/** Returns the name of a target and the schema of its parameters. */
export function definitionOf(target: DelegationTarget): {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
} {
  const { name, parameters } = "tool" in target ? target.tool : target.builtin;
  return { name, parameters };
}

/**
 * Checks whether a name belongs to a primitive or a built-in tool, and is therefore not available to composed tools.
 */
export function isReservedName(name: string, builtins: ReadonlyMap<string, BuiltinTool>): boolean {
  return (
    name === "http_request" ||
    PRIMITIVE_NAMES.some((known) => known === name) ||
    builtins.has(resolveBuiltinName(name) ?? name)
  );
}

/** Checks whether a name is known but can't be the target of a composed tool. */
export function isUnsupportedTarget(name: string, builtins: ReadonlyMap<string, BuiltinTool>): boolean {
  return isReservedName(name, builtins) || toolKindSchema.safeParse(name).success;
}

/** Returns the names of the primitives and built-in tools that can be targets of composed tools. */
export function namesOfPrimitives(builtins: ReadonlyMap<string, BuiltinTool>): readonly string[] {
  const computing = [...builtins.values()].filter(({ kind }) => kind === "compute").map(({ name }) => name);
  return ["http_request", "webhook", ...computing];
}

/** Maximum number of delegations from a tool to its primitive. */
export const MAX_DELEGATIONS = 5;

/**
 * Returns the names in the chain of delegations from a tool, starting with the tool itself. A cycle ends with the name
 * that repeats.
 */
export function delegationsOf(
  tool: ComposedToolDefinition,
  targets: Targets,
): { readonly names: readonly string[]; readonly isCircle: boolean } {
  const names = new Set([tool.name]);
  for (let next = nextOf(tool, targets); next !== undefined; next = nextOf(next, targets)) {
    if (names.has(next.name)) return { names: [...names, next.name], isCircle: true };
    names.add(next.name);
  }
  return { names: [...names], isCircle: false };
}

function nextOf({ implementation }: ComposedToolDefinition, targets: Targets): ComposedToolDefinition | undefined {
  const target = findTarget(implementation.primitive, targets);
  return target !== undefined && "tool" in target ? target.tool : undefined;
}

/** The parsed implementation of a composed tool. */
export type Implementation =
  | { readonly primitive: RequestPrimitive; readonly request: RequestParts }
  | { readonly target: DelegationTarget; readonly args: ArgumentTemplates };

/**
 * Parses the arguments of a composed tool.
 *
 * @param path - the path of the arguments, such as `tools[0].implementation.args`.
 * @returns undefined if they can't be used; the reader then contains the reasons.
 */
export function parseImplementation(
  { implementation: { args } }: ComposedToolDefinition,
  target: Target,
  path: string,
  reader: TemplateReader,
): Implementation | undefined {
  if ("primitive" in target) {
    const request = parseRequest(target.primitive, args, path, reader);
    return request && { primitive: target.primitive, request };
  }
  return { target, args: reader.members(args, path) };
}
