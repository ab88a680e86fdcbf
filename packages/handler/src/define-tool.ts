import { isObject } from "@yagate/lib/json/json-object";
import type { HandlerToolDefinition } from "@yagate/protocol";
import { declaredOptionsSchema, toolNameSchema, YagateError } from "@yagate/protocol/calls";
import { describeTool } from "./describe/describe-tool.ts";
import { assertKnownKeys } from "./known-keys.ts";
import { toParameterFaults } from "./parameter-faults.ts";
import { isZodSchema, type ParametersSchema, type Tool } from "./tool.ts";

/** A tool that `defineTool` has checked. */
export interface DefinedTool<Schema extends ParametersSchema = ParametersSchema> extends Tool<Schema> {
  /**
   * Returns the tool as an agent refers to it: its name, description, parameters as JSON Schema, call options, and the
   * URL of its handler. The client accepts it: `agents.create({ tools: [lookupOrder.at(url)] })`.
   *
   * @param url - the URL at which the gateway reaches the handler: http or https.
   * @throws {@link YagateError} `INVALID_REQUEST` for any other URL, or if JSON Schema cannot express the parameters.
   */
  at(url: string): HandlerToolDefinition;
}

/** The names of a tool's fields. */
export const TOOL_KEYS = [
  "name",
  "description",
  "parameters",
  "sideEffect",
  "risk",
  "timeout",
  "async",
  "usageNotes",
  "language",
  "execute",
] as const;

/**
 * Defines a tool. The type of the arguments of `execute` is inferred from `parameters`.
 *
 * @returns the tool, validated.
 * @throws {@link YagateError} `INVALID_REQUEST` if a field is missing, invalid or unknown.
 */
export function defineTool<Schema extends ParametersSchema>(tool: Tool<Schema>): DefinedTool<Schema> {
  assertTool(tool);
  return new CheckedTool(tool);
}

/** `at` is a method and not a field, so that a copy with other fields, `{ ...tool, name }`, is a tool as well. */
class CheckedTool<Schema extends ParametersSchema> implements DefinedTool<Schema> {
  declare readonly name: string;
  declare readonly description: string;
  declare readonly parameters: Schema;
  readonly execute: Tool<Schema>["execute"];

  constructor(tool: Tool<Schema>) {
    const given = TOOL_KEYS.map((key) => [key, tool[key]]).filter(([, value]) => value !== undefined);
    Object.assign(this, Object.fromEntries(given));
    // Called on the original, which may be an object with its own state.
    this.execute = (parameters, context) => tool.execute(parameters, context);
  }

  at(url: string): HandlerToolDefinition {
    if (!/^https?:\/\/./.test(url)) throw new YagateError("INVALID_REQUEST", "at: expected an http or https URL");
    return { ...describeTool(this), handler: url };
  }
}

/** Checks a tool. Throws `INVALID_REQUEST` if it is invalid. */
export function assertTool(tool: Tool<ParametersSchema>): void {
  if (!isObject(tool)) throw new YagateError("INVALID_REQUEST", "expected a tool");
  assertKnownKeys("a tool", tool, TOOL_KEYS);
  const fault = findFault(tool);
  if (fault !== undefined) throw new YagateError("INVALID_REQUEST", fault);
}

function findFault(tool: Tool<ParametersSchema>): string | undefined {
  const { name, description, parameters, execute } = tool;
  const parsedName = toolNameSchema.safeParse(name);
  if (!parsedName.success)
    return "a tool's name must consist of at most 64 letters, digits, _ or -, with dots between namespaces";
  if (typeof description !== "string" || description === "") return `tool ${name}: expected a description`;
  if (!isObjectSchema(parameters))
    return `tool ${name}: parameters must be a Zod 4 object or a JSON Schema for an object`;
  if (typeof execute !== "function") return `tool ${name}: execute must be a function`;
  const options = declaredOptionsSchema.safeParse(tool);
  const [fault] = options.success ? [] : toParameterFaults(options.error.issues);
  return fault && `tool ${name}: ${fault.path}: ${fault.message}`;
}

function isObjectSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (isZodSchema(schema)) return schema._zod.def.type === "object";
  return "type" in schema && schema.type === "object";
}
