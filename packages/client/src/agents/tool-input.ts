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

/** A JSON Schema (draft 2020-12) with `type: "object"`; it may be written `as const`. */
export type JsonSchemaObject = { readonly [key: string]: Json };

/** A tool's parameters: a JSON Schema, or a Zod 4 object (of `zod` or `zod/mini`). */
export type ToolParameters = JsonSchemaObject | z.core.$ZodObject;

/** A tool whose code is a webhook: as on the wire, and its parameters may be a Zod 4 object. */
export interface HandlerToolInput extends Omit<HandlerToolDefinition, "parameters"> {
  readonly parameters: ToolParameters;
}

/** A tool that fills a template: as on the wire, and its parameters may be a Zod 4 object. */
export interface ComposedToolInput extends Omit<ComposedToolDefinition, "parameters"> {
  readonly parameters: ToolParameters;
}

/** A tool that is one request to an HTTP API. */
export type RestToolInput = z.input<typeof restToolSchema>;

/** One entry of an agent's tools. */
export type ToolInput = BuiltinToolDefinition | HandlerToolInput | ComposedToolInput | RestToolInput | ToolReference;

/** A new agent. */
export interface AgentDefinition extends Omit<CreateAgent, "tools"> {
  readonly tools?: readonly ToolInput[] | undefined;
}

/** A change of an agent: what is left out stays. With `version`, only if that is still the current one. */
export interface AgentChange extends Omit<UpdateAgent, "tools"> {
  readonly tools?: readonly ToolInput[] | undefined;
}
