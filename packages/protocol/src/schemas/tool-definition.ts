import * as z from "zod";
import { builtinNameSchema } from "./builtin-names.ts";
import { callOptionFields } from "./call-options.ts";
import { type ComposedToolDefinition, composedToolSchema } from "./composed-tool.ts";
import { declaredOptionFields } from "./declared-options.ts";
import { listedToolIdSchema, toolSourceIdSchema } from "./ids.ts";
import { jsonObjectSchema } from "./json.ts";
import { parametersSchema } from "./parameters.ts";
import { resourceNameSchema } from "./resource-name.ts";
import { type RestToolDefinition, restToolSchema } from "./rest-tool.ts";
import { intentNameSchema } from "./routing.ts";
import { staticHeadersSchema } from "./static-headers.ts";
import { toolNameSchema } from "./tool-name.ts";
import { listedSourceNameSchema, MAX_TOOLS_PER_SOURCE, publishedNameSchema } from "./tool-source.ts";

/** A built-in tool or primitive, by its name. */
export const builtinToolSchema = z
  .strictObject({ builtin: builtinNameSchema, config: jsonObjectSchema.optional() })
  .meta({ id: "BuiltinTool" });

/** A tool whose code runs in the author's handler. */
export const handlerToolSchema = z
  .strictObject({
    name: toolNameSchema,
    description: z.string().min(1).max(4_000),
    parameters: parametersSchema,
    handler: z.url({ protocol: /^https?$/, error: "expected an http or https URL" }).max(2_048),
    ...callOptionFields,
    /**
     * Headers that are added to every call, for example for a proxy in front of the handler. `${secrets.NAME}` stands
     * for a secret that may be sent to the handler's host, and `$${` for a literal `${`.
     */
    headers: staticHeadersSchema.optional(),
    async: declaredOptionFields.async,
    /** Name of the workspace's signing secret. Default: `default`. */
    signingSecret: resourceNameSchema.optional(),
    /** Whether responses without a signature are rejected. */
    requireSignedAnswer: z.boolean().optional(),
    /**
     * Whether the handler rejects calls without `Idempotency-Key`. Every signed call has this header; its value is the
     * id of the tool call.
     */
    idempotencyKeyRequired: z.boolean().optional(),
    /**
     * False if the results contain text from third parties, such as the emails in an inbox. They are then framed as
     * untrusted content, and later writes need an approval, as they do after results of network tools. Default true.
     */
    trusted: z.boolean().optional(),
  })
  .meta({ id: "HandlerTool" });

/** A reference to a workspace tool by its id. */
export const toolReferenceSchema = z
  .strictObject({
    tool: listedToolIdSchema,
    /** Version of the tool. Default: the current version. It is always set in a saved agent. */
    version: z.int().min(1).optional(),
  })
  .meta({ id: "ToolReference" });

/** A reference to the tools of a tool source. */
export const toolSourceReferenceSchema = z
  .strictObject({
    /** Id or name of the source. It is always the id in a saved agent. */
    source: z.union([listedSourceNameSchema, toolSourceIdSchema]),
    /** Published names of the tools. Default: all tools that the source offers when an execution starts. */
    tools: z.array(publishedNameSchema).min(1).max(MAX_TOOLS_PER_SOURCE).optional(),
  })
  .meta({ id: "ToolSourceReference" });

/** What an agent needs, without naming the tool that provides it. */
export const intentReferenceSchema = z
  .strictObject({
    intent: intentNameSchema,
    /** Settings for the gateway's own capabilities of the intent, such as the `config` of `web_search`. */
    config: jsonObjectSchema.optional(),
    /** Whether an execution fails with `NO_ROUTE` if no capability serves the intent. Default false. */
    required: z.boolean().optional(),
  })
  .meta({ id: "IntentReference" });

/** One entry of an agent's tools. */
export const toolDefinitionSchema = z
  .union([
    builtinToolSchema,
    handlerToolSchema,
    composedToolSchema,
    restToolSchema,
    toolReferenceSchema,
    toolSourceReferenceSchema,
    intentReferenceSchema,
  ])
  .meta({ id: "ToolDefinition" });

export type BuiltinToolDefinition = z.infer<typeof builtinToolSchema>;
export type HandlerToolDefinition = z.infer<typeof handlerToolSchema>;
export type ToolReference = z.infer<typeof toolReferenceSchema>;
export type ToolSourceReference = z.infer<typeof toolSourceReferenceSchema>;
export type IntentReference = z.infer<typeof intentReferenceSchema>;
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;
/** A tool with its complete definition. */
export type CompleteToolDefinition = Exclude<ToolDefinition, ToolReference | ToolSourceReference | IntentReference>;

/** Checks whether an entry is a handler tool. */
export function isHandlerTool(tool: ToolDefinition): tool is HandlerToolDefinition {
  return "handler" in tool;
}

/** Checks whether an entry is a built-in tool or primitive. */
export function isBuiltinTool(tool: ToolDefinition): tool is BuiltinToolDefinition {
  return "builtin" in tool;
}

/** Checks whether an entry is a composed tool. */
export function isComposedTool(tool: ToolDefinition): tool is ComposedToolDefinition {
  return "implementation" in tool;
}

/** Checks whether an entry is a REST tool. */
export function isRestTool(tool: ToolDefinition): tool is RestToolDefinition {
  return "rest" in tool;
}

/** Checks whether an entry is a reference to a workspace tool. */
export function isToolReference(tool: ToolDefinition): tool is ToolReference {
  return "tool" in tool;
}

/** Checks whether an entry is an intent. */
export function isIntentReference(tool: ToolDefinition): tool is IntentReference {
  return "intent" in tool;
}

/** Checks whether an entry is a reference to the tools of a tool source. */
export function isToolSourceReference(tool: ToolDefinition): tool is ToolSourceReference {
  return "source" in tool;
}
