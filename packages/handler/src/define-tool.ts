import { toolNameSchema, YagateError } from "@yagate/protocol";
import type { core } from "zod";
import { assertKnownKeys } from "./known-keys.ts";
import type { ToolContext } from "./tool-context.ts";

/** A JSON Schema of an object, as the model reads it. */
export interface JsonSchema {
  /** `"object"`. */
  readonly type: string;
  readonly [keyword: string]: unknown;
}

/** A tool's parameters: a Zod 4 object schema, or a JSON Schema of type `object`. */
export type ParametersSchema = core.$ZodObject | JsonSchema;

/** What `execute` is given: the output of the Zod schema, or an untyped record for a JSON Schema. */
export type ParametersOf<Schema> = Schema extends core.$ZodType ? core.output<Schema> : Record<string, unknown>;

/** One tool: what the model is told of it, and the code behind it. */
export interface Tool<Schema extends ParametersSchema = ParametersSchema> {
  /** Snake case, with dots between namespaces, at most 64 characters; the name that the agent's tool has. */
  readonly name: string;
  /** What the tool does and when to use it. */
  readonly description: string;
  /**
   * With Zod, arguments are parsed again here and a mismatch is answered `INVALID_ARGUMENTS`. A JSON Schema is not
   * evaluated by the kit, which only checks that the parameters are an object: the gateway has validated them.
   */
  readonly parameters: Schema;
  /**
   * Does the work.
   *
   * @returns any JSON value, or a promise of one; `undefined` is answered as `null`.
   * @throws {@link ToolError} for failures that the model should read; anything else is answered `INTERNAL`.
   */
  execute(parameters: ParametersOf<Schema>, context: ToolContext): unknown;
}

/** The names of a tool's fields. */
export const TOOL_KEYS = ["name", "description", "parameters", "execute"] as const;

/**
 * Defines a tool; `execute` is typed by `parameters`.
 *
 * @returns the same tool, checked.
 * @throws {@link YagateError} `INVALID_REQUEST` when a field is missing, wrong or unknown.
 */
export function defineTool<Schema extends ParametersSchema>(tool: Tool<Schema>): Tool<Schema> {
  assertTool(tool);
  return tool;
}

/** Throws `INVALID_REQUEST` for what is no tool, whichever way it came. */
export function assertTool(tool: Tool<ParametersSchema>): void {
  if (typeof tool !== "object" || tool === null) throw new YagateError("INVALID_REQUEST", "expected a tool");
  assertKnownKeys("a tool", tool, TOOL_KEYS);
  const fault = findFault(tool);
  if (fault !== undefined) throw new YagateError("INVALID_REQUEST", fault);
}

function findFault({ name, description, parameters, execute }: Tool<ParametersSchema>): string | undefined {
  const parsedName = toolNameSchema.safeParse(name);
  if (!parsedName.success)
    return "a tool's name must be letters, digits, _ or -, with dots between namespaces, up to 64 characters";
  if (typeof description !== "string" || description === "") return `tool ${name}: expected a description`;
  if (!isObjectSchema(parameters))
    return `tool ${name}: parameters must be a Zod 4 object or a JSON Schema of an object`;
  if (typeof execute !== "function") return `tool ${name}: execute must be a function`;
  return undefined;
}

function isObjectSchema(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if (isZodSchema(schema)) return schema._zod.def.type === "object";
  return "type" in schema && schema.type === "object";
}

/** Tells the two kinds of schema apart, for Zod and Zod Mini of any copy. */
export function isZodSchema(schema: object): schema is core.$ZodType {
  return "_zod" in schema;
}
