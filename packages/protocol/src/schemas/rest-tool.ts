import * as z from "zod";
import { callOptionFields } from "./call-options.ts";
import { httpMethodSchema } from "./http-method.ts";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { secretNameSchema } from "./secret.ts";
import { toolNameSchema } from "./tool-name.ts";
import { authorWarningCodeSchema, authorWarningPathSchema, warningSeveritySchema } from "./warning.ts";

/** Maximum number of parameters of one REST tool. */
const MAX_REST_PARAMETERS = 100;
/** Maximum number of warnings of one REST tool. */
const MAX_REST_WARNINGS = 20;

/** Where a parameter goes in the request. */
export const restPlaceSchema = z.enum(["path", "query", "header", "body"]);
export type RestPlace = z.infer<typeof restPlaceSchema>;

/** One parameter of a REST tool's request. */
export const restParameterSchema = z.strictObject({
  /** The parameter's name for the model. It is also the name in the request, unless `wireName` is set. */
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, "expected 1 to 64 letters, digits, _, . or -"),
  /** The name in the request. Dots and brackets in it have no special meaning. */
  wireName: z.string().min(1).max(200).optional(),
  in: restPlaceSchema,
  type: z.enum(["string", "number", "integer", "boolean", "array", "object"]),
  description: z.string().max(2_000).optional(),
  /** Whether every call must pass the parameter; default false. A path parameter is always required. */
  required: z.boolean().optional(),
  /** Whether the value may be null, which is possible only in a JSON body; default false. */
  nullable: z.boolean().optional(),
  /** Additional keywords of JSON Schema: `enum`, `items`, `minimum`, `format` and so on. */
  schema: jsonObjectSchema.optional(),
  /**
   * How a list is encoded in the query or a form: `repeat` (the default) repeats the name for each item, `comma` joins
   * the items with commas.
   */
  arrayFormat: z.enum(["repeat", "comma"]).optional(),
  /** A fixed value, which the model cannot see or change. */
  value: jsonValueSchema.optional(),
  /** The only values that may be sent; for a list, the only items that it may contain. The model does not see them. */
  allowedValues: z.array(jsonValueSchema).min(1).max(1_000).optional(),
});
export type RestParameter = z.infer<typeof restParameterSchema>;

/** A note that the model reads after the usage notes. */
const restWarningSchema = z.strictObject({
  severity: warningSeveritySchema,
  message: z.string().min(1).max(500),
  code: authorWarningCodeSchema.optional(),
  path: authorWarningPathSchema.optional(),
});
export type RestWarning = z.infer<typeof restWarningSchema>;

/** A tool that sends one HTTP request to an API. */
export const restDefinitionSchema = z.strictObject({
  name: toolNameSchema,
  /** A human-readable name for the tool. */
  alias: z.string().min(1).max(200).optional(),
  description: z.string().min(1).max(4_000),
  method: httpMethodSchema,
  /** URL of the request, with path parameters in braces, such as `https://api.example.com/orders/{orderId}`. */
  url: z.string().min(1).max(8_192),
  parameters: z.array(restParameterSchema).max(MAX_REST_PARAMETERS).default([]),
  /** The format of the body: one JSON object (the default), or a URL-encoded form. */
  bodyFormat: z.enum(["json", "form"]).optional(),
  /**
   * Whether a POST, PUT or PATCH request has a body even if the body has no fields; default true. If false, the
   * required parameters of the body are required only in calls that pass at least one parameter of the body.
   */
  bodyRequired: z.boolean().optional(),
  /** Name of the workspace secret that authenticates the request. */
  credential: secretNameSchema.optional(),
  warnings: z.array(restWarningSchema).max(MAX_REST_WARNINGS).optional(),
  tags: z.array(z.string().min(1).max(50)).max(20).optional(),
  /**
   * Whether the results count as trusted: after reading them, the model may write without an additional approval. They
   * are still framed. Default false.
   */
  trusted: z.boolean().optional(),
  ...callOptionFields,
});
export type RestDefinition = z.infer<typeof restDefinitionSchema>;

/** A REST tool, as an agent lists it. */
export const restToolSchema = z.strictObject({ rest: restDefinitionSchema }).meta({ id: "RestTool" });
export type RestToolDefinition = z.infer<typeof restToolSchema>;
