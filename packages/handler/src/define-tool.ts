import { isObject } from "@yagate/lib/json/json-object";
import { toolNameSchema, YagateError } from "@yagate/protocol/calls";
import type { core } from "zod";
import { assertKnownKeys } from "./known-keys.ts";
import type { ToolContext } from "./tool-context.ts";

/** A JSON Schema for an object. The model reads it. */
export interface JsonSchema {
  /** Always `"object"`. */
  readonly type: string;
  readonly [keyword: string]: unknown;
}

/** A tool's parameters: a Zod 4 object schema, or a JSON Schema of type `object`. */
export type ParametersSchema = core.$ZodObject | JsonSchema;

/** The first argument of `execute`: the output of the Zod schema, or a record of unknown values for a JSON Schema. */
export type ParametersOf<Schema> = Schema extends core.$ZodType ? core.output<Schema> : Record<string, unknown>;

/** A tool: its description for the model, and its code. */
export interface Tool<Schema extends ParametersSchema = ParametersSchema> {
  /**
   * The tool's name in snake case, with dots between namespaces, at most 64 characters. The tool in the agent must have
   * the same name.
   */
  readonly name: string;
  /** What the tool does and when to use it. The model reads this. */
  readonly description: string;
  /**
   * The schema of the arguments. With a Zod schema, the kit parses the arguments again, and a mismatch ends the call
   * with `INVALID_ARGUMENTS`. With a JSON Schema, the kit checks only that the arguments are an object, because the
   * gateway has already validated them.
   */
  readonly parameters: Schema;
  /**
   * Runs the tool.
   *
   * @returns any JSON value, or a promise of one; `undefined` becomes `null`.
   * @throws {@link ToolError} for failures that the model should read about; any other error becomes `INTERNAL`.
   */
  execute(parameters: ParametersOf<Schema>, context: ToolContext): unknown;
}

/** The names of a tool's fields. */
export const TOOL_KEYS = ["name", "description", "parameters", "execute"] as const;

/**
 * Defines a tool. The type of the arguments of `execute` is inferred from `parameters`.
 *
 * @returns the same tool, validated.
 * @throws {@link YagateError} `INVALID_REQUEST` if a field is missing, invalid or unknown.
 */
export function defineTool<Schema extends ParametersSchema>(tool: Tool<Schema>): Tool<Schema> {
  assertTool(tool);
  return tool;
}

/** Checks a tool. Throws `INVALID_REQUEST` if it is invalid. */
export function assertTool(tool: Tool<ParametersSchema>): void {
  if (!isObject(tool)) throw new YagateError("INVALID_REQUEST", "expected a tool");
  assertKnownKeys("a tool", tool, TOOL_KEYS);
  const fault = findFault(tool);
  if (fault !== undefined) throw new YagateError("INVALID_REQUEST", fault);
}

function findFault({ name, description, parameters, execute }: Tool<ParametersSchema>): string | undefined {
  const parsedName = toolNameSchema.safeParse(name);
  if (!parsedName.success)
    return "a tool's name must consist of at most 64 letters, digits, _ or -, with dots between namespaces";
  if (typeof description !== "string" || description === "") return `tool ${name}: expected a description`;
  if (!isObjectSchema(parameters))
    return `tool ${name}: parameters must be a Zod 4 object or a JSON Schema of an object`;
  if (typeof execute !== "function") return `tool ${name}: execute must be a function`;
  return undefined;
}

function isObjectSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (isZodSchema(schema)) return schema._zod.def.type === "object";
  return "type" in schema && schema.type === "object";
}

/** Checks whether a schema is from Zod or Zod Mini, in any installed copy of these packages. */
export function isZodSchema(schema: object): schema is core.$ZodType {
  return "_zod" in schema;
}
