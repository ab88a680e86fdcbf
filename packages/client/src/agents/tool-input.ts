import type {
  BuiltinToolDefinition,
  ComposedToolDefinition,
  CreateAgent,
  HandlerToolDefinition,
  restToolSchema,
  ToolReference,
  UpdateAgent,
} from "@yagate/protocol";
import type * as z from "zod";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema (draft 2020-12) with `type: "object"`. Accepts values declared `as const`. */
export type JsonSchemaObject = { readonly [key: string]: Json };

/** The parameters of a tool: a JSON Schema, or a Zod 4 object from `zod` or `zod/mini`. */
export type ToolParameters = JsonSchemaObject | z.core.$ZodObject;

/** A tool whose code runs in a handler. `parameters` may be a Zod 4 object. */
export interface HandlerToolInput extends Omit<HandlerToolDefinition, "parameters"> {
  readonly parameters: ToolParameters;
}

/** A tool that fills a template. `parameters` may be a Zod 4 object. */
export interface ComposedToolInput extends Omit<ComposedToolDefinition, "parameters"> {
  readonly parameters: ToolParameters;
}

/** A tool that sends one HTTP request to an API. */
export type RestToolInput = z.input<typeof restToolSchema>;

/** One entry of an agent's tools. */
export type ToolInput = BuiltinToolDefinition | HandlerToolInput | ComposedToolInput | RestToolInput | ToolReference;

/** A new agent. */
export interface AgentDefinition extends Omit<CreateAgent, "tools"> {
  readonly tools?: readonly ToolInput[] | undefined;
}

/**
 * A change to an agent. Fields that are left out keep their value. With `version`, the change applies only if that is
 * the current version.
 */
export interface AgentChange extends Omit<UpdateAgent, "tools"> {
  readonly tools?: readonly ToolInput[] | undefined;
}
