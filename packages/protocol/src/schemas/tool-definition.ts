import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { MAX_CALLS_PER_TURN } from "./limits.ts";
import { builtinNameSchema, resourceNameSchema, toolNameSchema } from "./names.ts";
import { approvalModeSchema, riskClassSchema, sideEffectSchema } from "./side-effect.ts";

/** Bound of one attempt, from DNS to the last body byte, in ms. */
export const DEFAULT_TOOL_TIMEOUT_MS = 10_000;
export const MAX_TOOL_TIMEOUT_MS = 600_000;
/** Most further attempts after the first. */
export const MAX_TOOL_RETRIES = 10;
/** Most tools that one may depend on. */
const MAX_DEPENDENCIES = 32;

/** A JSON Schema (2020-12) of a tool's parameters: an object. */
export const parametersSchema = jsonObjectSchema.refine(
  (schema) => schema["type"] === "object",
  'expected a JSON Schema with "type": "object"',
);

/** A tool that the gateway brings itself. */
export const builtinToolSchema = z
  .strictObject({ builtin: builtinNameSchema, config: jsonObjectSchema.optional() })
  .meta({ id: "BuiltinTool" });

/** A tool whose code is a webhook of the agent's author. */
export const handlerToolSchema = z
  .strictObject({
    name: toolNameSchema,
    description: z.string().min(1).max(4_000),
    parameters: parametersSchema,
    handler: z.url({ protocol: /^https?$/, error: "expected an http or https URL" }).max(2_048),
    /** Bound of one attempt, in ms: 1 to 600 000, default 10 000. */
    timeout: z.int().min(1).max(MAX_TOOL_TIMEOUT_MS).optional(),
    /** Further attempts: 0 to 10, default 0. */
    retries: z.int().min(0).max(MAX_TOOL_RETRIES).optional(),
    sideEffect: sideEffectSchema.optional(),
    risk: riskClassSchema.optional(),
    approval: approvalModeSchema.optional(),
    /** It may answer 202 and bring its result later, to the callback that its calls then carry. */
    async: z.boolean().optional(),
    /** Name of the workspace's signing secret; `default` otherwise. */
    signingSecret: resourceNameSchema.optional(),
    /** Refuse answers that are not signed. */
    requireSignedAnswer: z.boolean().optional(),
    usageNotes: z.string().max(4_000).optional(),
    /** Calls of this tool in one turn; those past it are answered BUDGET_EXCEEDED, the others run. */
    maxCallsPerTurn: z.int().min(1).max(MAX_CALLS_PER_TURN).optional(),
    /**
     * The resource that a call works on, as `order:${orderId}`: 1 to 500 characters, with parameters of the tool in
     * `${}` and `$${` for a plain `${`. Writes to one resource run in the model's order, and no read runs beside them.
     */
    resourceKey: z.string().min(1).max(500).optional(),
    /** Tools of the agent that must have completed before: after their calls of this turn, else DEPENDENCY_FAILED. */
    dependsOn: z.array(toolNameSchema).max(MAX_DEPENDENCIES).optional(),
    /** Only calls of one group are on their way together; groups take turns in the model's order. */
    parallelGroup: z.string().min(1).max(64).optional(),
    /** The handler refuses calls without `Idempotency-Key`; every signed call has one, its tool call's id. */
    idempotencyKeyRequired: z.boolean().optional(),
  })
  .meta({ id: "HandlerTool" });

/** One entry of an agent's tools. */
export const toolDefinitionSchema = z.union([builtinToolSchema, handlerToolSchema]).meta({ id: "ToolDefinition" });

export type BuiltinToolDefinition = z.infer<typeof builtinToolSchema>;
export type HandlerToolDefinition = z.infer<typeof handlerToolSchema>;
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;

/** Tells the two kinds of entries apart. */
export function isHandlerTool(tool: ToolDefinition): tool is HandlerToolDefinition {
  return "handler" in tool;
}
