import * as z from "zod";
import { builtinNameSchema } from "./builtin-names.ts";
import { callOptionFields } from "./call-options.ts";
import { type ComposedToolDefinition, composedToolSchema } from "./composed-tool.ts";
import { toolIdSchema } from "./ids.ts";
import { jsonObjectSchema } from "./json.ts";
import { resourceNameSchema, toolNameSchema } from "./names.ts";
import { parametersSchema } from "./parameters.ts";
import { type RestToolDefinition, restToolSchema } from "./rest-tool.ts";
import { staticHeadersSchema } from "./static-headers.ts";

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
    ...callOptionFields,
    /**
     * What every call carries beside the headers of the signed call, such as what a proxy before the handler asks for:
     * texts in which `${secrets.NAME}` stands for a secret that may go to the handler's host; `$${` for a plain `${`.
     */
    headers: staticHeadersSchema.optional(),
    /** It may answer 202 and bring its result later, to the callback that its calls then carry. */
    async: z.boolean().optional(),
    /** Name of the workspace's signing secret; `default` otherwise. */
    signingSecret: resourceNameSchema.optional(),
    /** Refuse answers that are not signed. */
    requireSignedAnswer: z.boolean().optional(),
    /** The handler refuses calls without `Idempotency-Key`; every signed call has one, its tool call's id. */
    idempotencyKeyRequired: z.boolean().optional(),
    /**
     * False: its results pass on what strangers wrote, such as the mails of an inbox. They are marked and framed, and
     * writes ask after them, as after those of network tools. Default true.
     */
    trusted: z.boolean().optional(),
  })
  .meta({ id: "HandlerTool" });

/** A tool of the workspace, by its id. */
export const toolReferenceSchema = z
  .strictObject({
    tool: toolIdSchema,
    /** Saved agents always have one; default: the tool's version of the moment. */
    version: z.int().min(1).optional(),
  })
  .meta({ id: "ToolReference" });

/** One entry of an agent's tools. */
export const toolDefinitionSchema = z
  .union([builtinToolSchema, handlerToolSchema, composedToolSchema, restToolSchema, toolReferenceSchema])
  .meta({ id: "ToolDefinition" });

export type BuiltinToolDefinition = z.infer<typeof builtinToolSchema>;
export type HandlerToolDefinition = z.infer<typeof handlerToolSchema>;
export type ToolReference = z.infer<typeof toolReferenceSchema>;
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;
/** A tool with all that is to be known of it. */
export type CompleteToolDefinition = Exclude<ToolDefinition, ToolReference>;

/** Tells a webhook from the other entries. */
export function isHandlerTool(tool: ToolDefinition): tool is HandlerToolDefinition {
  return "handler" in tool;
}

/** Tells a tool of the gateway's own from the other entries. */
export function isBuiltinTool(tool: ToolDefinition): tool is BuiltinToolDefinition {
  return "builtin" in tool;
}

/** Tells a template from the other entries. */
export function isComposedTool(tool: ToolDefinition): tool is ComposedToolDefinition {
  return "implementation" in tool;
}

/** Tells a request from the other entries. */
export function isRestTool(tool: ToolDefinition): tool is RestToolDefinition {
  return "rest" in tool;
}

/** Tells a reference from what is complete. */
export function isToolReference(tool: ToolDefinition): tool is ToolReference {
  return "tool" in tool;
}
