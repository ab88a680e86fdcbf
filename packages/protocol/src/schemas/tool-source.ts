import * as z from "zod";
import { BUILTIN_NAMES, PRIMITIVE_NAMES } from "./builtin-names.ts";
import { callOptionFields } from "./call-options.ts";
import { toolIdSchema, toolSourceIdSchema } from "./ids.ts";
import { jsonObjectSchema, timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { documentSettings, sourceDocumentSchema, uploadFields } from "./openapi-source.ts";
import { resourceNameSchema } from "./resource-name.ts";
import { secretNameSchema } from "./secret.ts";
import { riskClassSchema, sideEffectSchema } from "./side-effect.ts";
import { sourceReferenceFor } from "./source-reference-for.ts";
import { toolSourceOAuthSchema } from "./tool-source-oauth.ts";

/** Maximum number of tool sources per workspace. */
export const MAX_TOOL_SOURCES = 50;
/** Default time between two scheduled syncs of a source, in seconds. */
export const DEFAULT_SYNC_INTERVAL_SECONDS = 900;
/** Maximum number of tools that one source may publish. */
export const MAX_TOOLS_PER_SOURCE = 2_000;
/** Maximum number of tools that all sources of a workspace may publish. */
export const MAX_SOURCE_TOOLS_PER_WORKSPACE = 5_000;

const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "toolkit",
  "yagate",
  "summarizer",
  ...BUILTIN_NAMES,
  ...PRIMITIVE_NAMES,
]);

/**
 * The name of a tool source, which is the namespace of its tools: 1 to 24 characters from `a-z 0-9 _`, starting with a
 * letter. It is not `toolkit`, `yagate` or the name of a built-in tool.
 */
export const toolSourceNameSchema = sourceNameSchema();
/**
 * The name of a source in an agent. The error for a name such as `orders.lookup` says how to refer to a source's tool.
 */
export const listedSourceNameSchema = sourceNameSchema(sourceReferenceFor);

function sourceNameSchema(remedyFor: (input: unknown) => string = () => "") {
  return z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,23}$/, {
      error: ({ input }) =>
        `expected 1 to 24 lower-case letters, digits or _, starting with a letter${remedyFor(input)}`,
    })
    .refine((name) => !RESERVED_NAMES.has(name), "expected a name that is not reserved, such as orders");
}

/**
 * The kinds of tool sources. `handler`: a handler that describes its tools. `mcp`: an MCP server. `openapi`: an OpenAPI
 * document.
 */
export const toolSourceKindSchema = z.enum(["handler", "mcp", "openapi"]);
export type ToolSourceKind = z.infer<typeof toolSourceKindSchema>;

/**
 * What happens to tools that a source adds or changes. `hold`: they are off until they are accepted. `additive`: the
 * same, except that a changed tool keeps its accepted definition. `accept`: they are accepted, unless the change makes
 * a tool laxer or adds a tool to an agent that lists all tools of the source.
 */
export const onChangeSchema = z.enum(["hold", "additive", "accept"]);
export type OnChange = z.infer<typeof onChangeSchema>;

/** Name of a tool as its source publishes it. */
export const publishedNameSchema = z.string().min(1).max(200);

/** A pattern for names of tools, in which `*` matches any characters. */
const namePatternSchema = z.string().min(1).max(200);
const namePatternsSchema = z.array(namePatternSchema).max(100);

const { timeout, retries, sideEffect, risk, approval, projection, maxCallsPerTurn, resourceKey } = callOptionFields;
const { dependsOn, parallelGroup } = callOptionFields;

/** Options for the calls of a source's tools. */
export const toolSourceOptionsSchema = z
  .strictObject({
    ...{ timeout, retries, sideEffect, risk, approval, projection, maxCallsPerTurn, resourceKey },
    ...{ dependsOn, parallelGroup },
    /** Whether responses without a signature are rejected. */
    requireSignedAnswer: z.boolean().optional(),
    /** False if results contain text from third parties. Default true. */
    trusted: z.boolean().optional(),
  })
  .meta({ id: "ToolSourceOptions" });
export type ToolSourceOptions = z.infer<typeof toolSourceOptionsSchema>;

/** Options for calls that are not signed. */
const unsignedOptionsSchema = toolSourceOptionsSchema.omit({ requireSignedAnswer: true });

function overridesOf<Options extends z.ZodType>(options: Options) {
  return z
    .record(publishedNameSchema, options)
    .refine((overrides) => Object.keys(overrides).length <= MAX_TOOLS_PER_SOURCE, {
      error: `expected overrides for at most ${MAX_TOOLS_PER_SOURCE} tools`,
    });
}

const overridesSchema = overridesOf(toolSourceOptionsSchema);

const url = z.url({ protocol: /^https?$/, error: "expected an http or https URL" }).max(2_048);

const shared = {
  /** The tools to include; null (default): all. */
  include: namePatternsSchema.nullable(),
  /** The tools to exclude; default: none. */
  exclude: namePatternsSchema,
  /** Time between two scheduled syncs in seconds: 60 to 86,400. Each wait varies by up to 10%. */
  syncIntervalSeconds: z.int().min(60).max(86_400),
} as const;

/** How the gateway identifies itself to an MCP server. */
export const mcpAuthSchema = z
  .union([
    z.strictObject({
      /** Name of a workspace secret that is bound to the server's host. */
      credential: secretNameSchema,
    }),
    z.strictObject({ oauth: toolSourceOAuthSchema }),
  ])
  .meta({ id: "McpAuth" });
export type McpAuth = z.infer<typeof mcpAuthSchema>;

const handlerSettingsSchema = z.strictObject({
  kind: z.literal("handler"),
  /** The handler's URL. The gateway sends calls and describe requests to it. */
  url,
  /** Name of the signing secret for describe requests, the responses to them, and calls. */
  signingSecret: resourceNameSchema,
  ...shared,
  /** Options for all tools. A tool's own declaration takes precedence if it is stricter. */
  defaults: toolSourceOptionsSchema,
  /** Options for single tools, by published name. They take precedence over the tool's own declaration. */
  overrides: overridesSchema,
  onChange: onChangeSchema,
});

const mcpSettingsSchema = z.strictObject({
  kind: z.literal("mcp"),
  /** The server's endpoint for Streamable HTTP. */
  url,
  /** Null (default): the requests contain no credential. */
  auth: mcpAuthSchema.nullable(),
  ...shared,
  defaults: unsignedOptionsSchema,
  overrides: overridesOf(unsignedOptionsSchema),
  onChange: onChangeSchema.exclude(["accept"], {
    error: "expected hold or additive: only the tools of a handler can be accepted without a person",
  }),
});

const openApiSettingsSchema = z.strictObject({
  kind: z.literal("openapi"),
  /** URL of the document; null for an uploaded one. */
  url: url.nullable(),
  /** URL of the API, such as `https://api.example.com/v1`, for documents that contain none. */
  server: url.nullable(),
  ...documentSettings,
  ...shared,
  defaults: unsignedOptionsSchema,
  overrides: overridesOf(unsignedOptionsSchema),
  onChange: onChangeSchema,
});

/** The settings of a source that its owner can change, except `kind` and `documentHash`. */
export const toolSourceSettingsSchema = z.discriminatedUnion("kind", [
  handlerSettingsSchema,
  mcpSettingsSchema,
  openApiSettingsSchema,
]);
export type ToolSourceSettings = z.infer<typeof toolSourceSettingsSchema>;
export type HandlerSourceSettings = Extract<ToolSourceSettings, { kind: "handler" }>;
export type OpenApiSourceSettings = Extract<ToolSourceSettings, { kind: "openapi" }>;
export type McpSourceSettings = Extract<ToolSourceSettings, { kind: "mcp" }>;

/** The fields of `POST /v1/tool-sources` that every kind of source has. */
const creation = {
  name: toolSourceNameSchema,
  include: shared.include.default(null),
  exclude: shared.exclude.default([]),
  syncIntervalSeconds: shared.syncIntervalSeconds.default(DEFAULT_SYNC_INTERVAL_SECONDS),
  /** Whether the tools of the first sync are accepted. */
  accept: z.enum(["none", "all"]).default("none"),
} as const;

const createOpenApiSourceSchema = openApiSettingsSchema
  .omit({ documentHash: true })
  .extend({
    ...creation,
    ...uploadFields,
    url: url.optional(),
    server: openApiSettingsSchema.shape.server.default(null),
    auth: openApiSettingsSchema.shape.auth.default(null),
    credential: openApiSettingsSchema.shape.credential.default(null),
    credentials: openApiSettingsSchema.shape.credentials.default({}),
    defaults: openApiSettingsSchema.shape.defaults.default({}),
    overrides: openApiSettingsSchema.shape.overrides.default({}),
    onChange: openApiSettingsSchema.shape.onChange.default("hold"),
  })
  .refine((source) => (source.url === undefined) !== (source.document === undefined), {
    path: ["url"],
    error: "expected either url or document",
  });

/** The body of `POST /v1/tool-sources`. */
export const createToolSourceSchema = z
  .discriminatedUnion("kind", [
    handlerSettingsSchema.extend({
      ...creation,
      signingSecret: handlerSettingsSchema.shape.signingSecret.default("default"),
      defaults: handlerSettingsSchema.shape.defaults.default({}),
      overrides: handlerSettingsSchema.shape.overrides.default({}),
      /** Default: `hold`; in a gateway for development, `accept`. */
      onChange: handlerSettingsSchema.shape.onChange.optional(),
    }),
    mcpSettingsSchema.extend({
      ...creation,
      auth: mcpSettingsSchema.shape.auth.default(null),
      defaults: mcpSettingsSchema.shape.defaults.default({}),
      overrides: mcpSettingsSchema.shape.overrides.default({}),
      onChange: mcpSettingsSchema.shape.onChange.default("hold"),
    }),
    createOpenApiSourceSchema,
  ])
  .meta({ id: "CreateToolSource" });
export type CreateToolSource = z.input<typeof createToolSourceSchema>;

/**
 * The body of `PATCH /v1/tool-sources/:id`. A change to `url` or `auth` holds all tools. `signingSecret` belongs to
 * handlers, `auth` to MCP servers and OpenAPI documents, and `server`, `credential`, `credentials` and the uploaded
 * document only to OpenAPI documents.
 */
export const updateToolSourceSchema = z
  .strictObject({
    url,
    signingSecret: resourceNameSchema,
    auth: mcpAuthSchema.nullable(),
    server: openApiSettingsSchema.shape.server,
    credential: openApiSettingsSchema.shape.credential,
    credentials: openApiSettingsSchema.shape.credentials,
    ...uploadFields,
    ...shared,
    defaults: toolSourceOptionsSchema,
    overrides: overridesSchema,
    onChange: onChangeSchema,
  })
  .partial()
  .meta({ id: "UpdateToolSource" });
export type UpdateToolSource = z.input<typeof updateToolSourceSchema>;

/** The query of `DELETE /v1/tool-sources/:id`. */
export const deleteToolSourceQuerySchema = z.strictObject({
  /** Whether the source is deleted even if agents refer to it. */
  force: z.enum(["true", "false"]).default("false"),
});

/**
 * `ready`: the latest sync succeeded, and all published tools are accepted. `changed`: tools wait to be accepted.
 * `unreachable`: the latest sync failed; the accepted tools keep working. `unauthorized`: the source rejected the
 * gateway's signature or credential, or the gateway rejected the handler's signature.
 */
export const toolSourceStatusSchema = z.enum(["ready", "changed", "unreachable", "unauthorized"]);
export type ToolSourceStatus = z.infer<typeof toolSourceStatusSchema>;

/**
 * `accepted`: the published definition is accepted. `new`: the tool was never accepted, or was revoked. `changed`: the
 * published definition differs from the accepted one. `removed`: the source no longer publishes the tool.
 */
export const sourceToolStateSchema = z.enum(["accepted", "new", "changed", "removed"]);
export type SourceToolState = z.infer<typeof sourceToolStateSchema>;

export const sourceToolSchema = z.looseObject({
  /** Name that the source publishes and that calls contain. */
  name: z.string(),
  /** Name that the model reads. */
  toolName: z.string(),
  state: sourceToolStateSchema,
  /** Whether new executions get the tool. */
  isOffered: z.boolean(),
  /** Hash of the published definition; null if the tool was removed. */
  hash: z.string().nullable(),
  /** Hash of the accepted definition; null while no definition is accepted. */
  acceptedHash: z.string().nullable(),
  sideEffect: sideEffectSchema.nullable(),
  risk: riskClassSchema.nullable(),
  /** The workspace tool that follows this one; absent if no adopted tool does. */
  toolId: toolIdSchema.optional(),
});

export const skippedToolSchema = z.looseObject({
  /** The published name without invisible characters: at most 300 characters; empty if the tool has no name. */
  name: z.string(),
  reason: z.string(),
});
export type SkippedTool = z.infer<typeof skippedToolSchema>;

/** A place that publishes tool definitions. */
export const toolSourceSchema = openResponse(
  z.looseObject({
    id: toolSourceIdSchema,
    name: z.string(),
    kind: toolSourceKindSchema,
    /** Null for an uploaded document. */
    url: z.string().nullable(),
    /** Present for a handler. */
    signingSecret: z.string().optional(),
    /** Present for an MCP server and an OpenAPI document; null: the requests contain no credential. */
    auth: z
      .union([
        z.looseObject({ credential: secretNameSchema }),
        z.looseObject({ oauth: z.looseObject(toolSourceOAuthSchema.shape) }),
      ])
      .nullable()
      .optional(),
    /** Present for an OpenAPI document, as are the next two; null: the servers in the document apply. */
    server: z.string().nullable().optional(),
    credential: z.string().nullable().optional(),
    credentials: z.record(z.string(), z.string()).optional(),
    /** The OpenAPI document of the latest successful sync. Absent before it, and in lists of sources. */
    document: sourceDocumentSchema.optional(),
    /** Null: all tools. */
    include: z.array(z.string()).nullable(),
    exclude: z.array(z.string()),
    defaults: z.looseObject(toolSourceOptionsSchema.shape),
    overrides: z.record(z.string(), z.looseObject(toolSourceOptionsSchema.shape)),
    onChange: onChangeSchema,
    syncIntervalSeconds: z.int(),
    status: toolSourceStatusSchema,
    /** When the status was last determined. */
    statusAt: timestampSchema,
    /** Why the latest sync failed; null if it succeeded. */
    reason: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
    /** When the latest successful sync ended; null before the first one. */
    syncedAt: timestampSchema.nullable(),
    /** When the gateway syncs the source next; null if it does so only on request. */
    nextSyncAt: timestampSchema.nullable(),
    /** Increases with every change to the tools that executions get. */
    generation: z.int().min(0),
    toolCounts: z.looseObject({
      published: z.int(),
      /** Published with the accepted definition. */
      accepted: z.int(),
      /** Published with a definition that is not accepted. */
      held: z.int(),
      /** Accepted, but no longer published. */
      removed: z.int(),
    }),
    /** The tools, ordered by name. Absent in lists of sources. */
    tools: z.array(sourceToolSchema).optional(),
    /**
     * The tools of the latest sync that cannot be used. Absent for a handler, whose sync fails if a tool is invalid.
     */
    skippedTools: z.array(skippedToolSchema).optional(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  }),
).meta({ id: "ToolSource" });
export type ToolSource = z.infer<typeof toolSourceSchema>;

/** A tool that differs from what was accepted, with both definitions. */
export const toolChangeSchema = openResponse(
  z.looseObject({
    name: z.string(),
    toolName: z.string(),
    state: sourceToolStateSchema,
    /** Hash of the published definition, for `accept`; null if the tool was removed. */
    hash: z.string().nullable(),
    acceptedHash: z.string().nullable(),
    /** The accepted definition; null while no definition is accepted. */
    before: jsonObjectSchema.nullable(),
    /** The published definition; null if the tool was removed. */
    after: jsonObjectSchema.nullable(),
    /**
     * What an MCP server claims about the tool. It has not been checked. `proposedSideEffect` is the side effect that
     * would follow from it; null if it claims nothing. Absent for other kinds of sources.
     */
    hints: z.looseObject({ annotations: jsonObjectSchema, proposedSideEffect: sideEffectSchema.nullable() }).optional(),
    /** Whether the published definition declares a weaker side effect or risk than the accepted one. */
    isLaxer: z.boolean(),
    /** Whether another schema generator wrote the published definition: the schemas may differ only in their form. */
    isGeneratorChanged: z.boolean(),
    /** Why the tool stays off even when it is accepted; null if nothing prevents it. */
    conflict: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  }),
).meta({ id: "ToolChange" });
export type ToolChange = z.infer<typeof toolChangeSchema>;
