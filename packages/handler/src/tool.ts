import type { DeclaredOptions } from "@yagate/protocol/calls";
import type { core } from "zod";
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
   * What the tool changes outside the handler: `read_only`, `idempotent_write`, `non_idempotent_write` or
   * `destructive`. It determines retries, parallelism and approvals. Like the options below, it only describes the
   * tool to the gateway, and has no effect in the handler.
   */
  readonly sideEffect?: DeclaredOptions["sideEffect"];
  /** How much harm a call can do. Default: derived from the side effect. */
  readonly risk?: DeclaredOptions["risk"];
  /** Time limit of one attempt in ms: 1 to 600,000. Default 10,000. */
  readonly timeout?: number | undefined;
  /** Whether the tool may call `context.defer()` and deliver its result later. Default false. */
  readonly async?: boolean | undefined;
  /** Advice for the model in addition to the description: at most 4,000 characters. */
  readonly usageNotes?: string | undefined;
  /** The language of the tool's texts, such as `de`, for tool search. Default `en`. */
  readonly language?: string | undefined;
  /**
   * Runs the tool.
   *
   * @returns any JSON value, or a promise of one; `undefined` becomes `null`.
   * @throws {@link ToolError} for failures that the model should read about; any other error becomes `INTERNAL`.
   */
  execute(parameters: ParametersOf<Schema>, context: ToolContext): unknown;
}

/** Checks whether a schema is from Zod or Zod Mini, in any installed copy of these packages. */
export function isZodSchema(schema: object): schema is core.$ZodType {
  return "_zod" in schema;
}
