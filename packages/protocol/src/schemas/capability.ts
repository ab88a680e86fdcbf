import * as z from "zod";
import { builtinNameSchema } from "./builtin-names.ts";
import { toolIdSchema, toolSourceIdSchema } from "./ids.ts";
import { routingOriginSchema } from "./intent.ts";
import { jsonObjectSchema, timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { costClassSchema, dataClassSchema, intentNameSchema, routingWordSchema } from "./routing.ts";
import { riskClassSchema } from "./side-effect.ts";
import { listedSourceNameSchema, publishedNameSchema } from "./tool-source.ts";
import { warningSchema } from "./warning.ts";

/** The key of a capability: lower-case words separated by dots, such as `runtime.local_search`. */
export const capabilityKeySchema = z
  .string()
  .max(100)
  .regex(
    /^[a-z][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)+$/,
    "expected lower-case words with dots, such as mcp.firecrawl_search",
  );

/** Maximum number of capabilities that a workspace can add or override. */
export const MAX_CAPABILITIES = 500;

/** Where a capability runs. */
export const capabilityModeSchema = z.enum(["provider_hosted", "runtime_function", "mcp_remote", "sandboxed"]);
export type CapabilityMode = z.infer<typeof capabilityModeSchema>;

/** Tools that model providers run themselves. */
export const hostedToolNameSchema = z.enum(["web_search", "url_fetch", "code_exec"]);
export type HostedToolName = z.infer<typeof hostedToolNameSchema>;

/** What serves the intent. */
export const capabilityTargetSchema = z.union([
  z.strictObject({ hosted: hostedToolNameSchema }),
  z.strictObject({ builtin: builtinNameSchema, config: jsonObjectSchema.optional() }),
  z.strictObject({ tool: toolIdSchema }),
  z.strictObject({ source: z.union([listedSourceNameSchema, toolSourceIdSchema]), tool: publishedNameSchema }),
]);
export type CapabilityTarget = z.infer<typeof capabilityTargetSchema>;

const globs = z.array(z.string().trim().min(1).max(200)).max(50);
const words = z.array(routingWordSchema).max(50);

/** The fields that decide which executions a capability serves; all are optional in a request. */
const fields = {
  intent: intentNameSchema,
  mode: capabilityModeSchema,
  target: capabilityTargetSchema,
  /**
   * The arguments of the target, with `${name}` for the parameters of the intent. Default: the intent's parameters,
   * unchanged.
   */
  args: jsonObjectSchema,
  /** The part of the target's result that is the result of the call: a JSON path. Default: the complete result. */
  result: z.string().min(1).max(1_000),
  /** Names of model providers, with `*` for any characters. Empty: all. */
  providers: globs,
  /** Names of models without their provider, with `*` for any characters. Empty: all. */
  modelPatterns: globs,
  priority: z.int().min(0).max(100),
  costClass: costClassSchema,
  riskClass: riskClassSchema,
  supportsCitations: z.boolean(),
  /** Routing scopes that an execution must have; all are required. */
  requiredScopes: words,
  /** Regions in which the capability works. Empty: everywhere. */
  regions: words,
  /**
   * The classes of data that it may handle. Empty: all, or `public` and `internal` for provider-hosted and MCP targets.
   */
  dataClasses: z.array(dataClassSchema).max(3),
  /** Whether each call needs the approval of a person. */
  approval: z.literal("always"),
  enabled: z.boolean(),
};
const optionalFields = z.object(fields).partial().shape;

/**
 * The body of `POST /v1/capabilities`. A key from the gateway's table overrides that entry: omitted fields keep the
 * values of the entry. Any other key needs an intent, a mode and a target.
 */
export const createCapabilitySchema = z
  .strictObject({ key: capabilityKeySchema, ...optionalFields })
  .meta({ id: "CreateCapability" });

/** The body of `PATCH /v1/capabilities/:key`. Omitted fields keep their values; null removes the value. */
export const updateCapabilitySchema = z
  .strictObject({
    ...optionalFields,
    args: fields.args.nullable().optional(),
    result: fields.result.nullable().optional(),
    riskClass: fields.riskClass.nullable().optional(),
    approval: fields.approval.nullable().optional(),
  })
  .meta({ id: "UpdateCapability" });

/** Something that can serve an intent. */
export const capabilitySchema = openResponse(
  z.looseObject({
    key: z.string(),
    ...fields,
    intent: z.string(),
    args: jsonObjectSchema.nullable(),
    result: z.string().nullable(),
    riskClass: riskClassSchema.nullable(),
    approval: z.literal("always").nullable(),
    origin: routingOriginSchema,
    /** Whether the workspace changed an entry of the gateway's table. */
    isOverride: z.boolean(),
    /** The date of the gateway's table; null for an entry of the workspace. */
    asOf: z.string().nullable(),
    createdAt: timestampSchema.nullable(),
    updatedAt: timestampSchema.nullable(),
    /** Only in responses to requests that save the capability. */
    warnings: z.array(warningSchema).optional(),
  }),
).meta({ id: "Capability" });

/** How a store keeps a capability: the fields that the workspace sets, and when it did. */
export interface StoredCapability {
  readonly fields: Omit<z.output<typeof createCapabilitySchema>, "key">;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type CreateCapability = z.input<typeof createCapabilitySchema>;
export type UpdateCapability = z.input<typeof updateCapabilitySchema>;
export type Capability = z.infer<typeof capabilitySchema>;
