import type {
  BuiltinToolDefinition,
  ComposedToolDefinition,
  CreateAgent,
  HandlerToolDefinition,
  IntentReference,
  restToolSchema,
  ToolReference,
  ToolSourceReference,
  UpdateAgent,
} from "@yagate/protocol";
import type * as z from "zod";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema (draft 2020-12) with `type: "object"`. Values declared `as const` are also accepted. */
export type JsonSchemaObject = { readonly [key: string]: Json };

/** The parameters of a tool: a JSON Schema, or a Zod 4 object from `zod` or `zod/mini`. */
export type ToolParameters = JsonSchemaObject | z.core.$ZodObject;

/** A handler tool, whose code runs in your handler. `parameters` may be a Zod 4 object. */
export interface HandlerToolInput extends Omit<HandlerToolDefinition, "parameters"> {
  readonly parameters: ToolParameters;
}

/** A composed tool: a template that is filled with the model's arguments. `parameters` may be a Zod 4 object. */
export interface ComposedToolInput extends Omit<ComposedToolDefinition, "parameters"> {
  readonly parameters: ToolParameters;
}

/** A REST tool: one declared HTTP request to an API, without code. */
export type RestToolInput = z.input<typeof restToolSchema>;

/** One entry in an agent's `tools`. */
export type ToolInput =
  | BuiltinToolDefinition
  | HandlerToolInput
  | ComposedToolInput
  | RestToolInput
  | ToolReference
  | ToolSourceReference
  | IntentReference;

/** The definition of a new agent. */
export interface AgentDefinition extends Omit<CreateAgent, "tools"> {
  readonly tools?: readonly ToolInput[] | undefined;
}

/**
 * A change to an agent. Omitted fields keep their values. If `version` is set and is not the agent's current version,
 * the gateway rejects the change.
 */
export interface AgentChange extends Omit<UpdateAgent, "tools"> {
  readonly tools?: readonly ToolInput[] | undefined;
}
