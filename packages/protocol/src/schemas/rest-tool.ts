import * as z from "zod";
import { callOptionFields } from "./call-options.ts";
import { httpMethodSchema } from "./http-method.ts";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { toolNameSchema } from "./names.ts";
import { secretNameSchema } from "./secret.ts";
import { authorWarningCodeSchema, authorWarningPathSchema, warningSeveritySchema } from "./warning.ts";

/** Most parameters of one REST tool. */
const MAX_REST_PARAMETERS = 100;
/** Most warnings of one REST tool. */
const MAX_REST_WARNINGS = 20;

/** Where a parameter stands in the request. */
export const restPlaceSchema = z.enum(["path", "query", "header", "body"]);
export type RestPlace = z.infer<typeof restPlaceSchema>;

/** One parameter of a REST tool's request. */
export const restParameterSchema = z.strictObject({
  /** As the model names it, and as the request does unless `wireName` says otherwise. */
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, "expected 1 to 64 letters, digits, _, . or -"),
  /** Its name in the request, as it is: a dot or a bracket in it has no meaning here. */
  wireName: z.string().min(1).max(200).optional(),
  in: restPlaceSchema,
  type: z.enum(["string", "number", "integer", "boolean", "array", "object"]),
  description: z.string().max(2_000).optional(),
  /** Whether the model must give it; default false. Always true in the path. */
  required: z.boolean().optional(),
  /** Whether null is a value of it, which only a JSON body can hold; default false. */
  nullable: z.boolean().optional(),
  /** Further keywords of JSON Schema: `enum`, `items`, `minimum`, `format` and so on. */
  schema: jsonObjectSchema.optional(),
  /** Of a list in the query or a form: its name once for each item (the default), or one text with commas. */
  arrayFormat: z.enum(["repeat", "comma"]).optional(),
  /** Fixed: the model neither sees nor changes it. */
  value: jsonValueSchema.optional(),
  /** The only values that are let through, of a list for each item; the model is not told of them. */
  allowedValues: z.array(jsonValueSchema).min(1).max(1_000).optional(),
});
export type RestParameter = z.infer<typeof restParameterSchema>;

/** What a model should know before it calls a tool. The model reads it after the usage notes. */
const restWarningSchema = z.strictObject({
  severity: warningSeveritySchema,
  message: z.string().min(1).max(500),
  code: authorWarningCodeSchema.optional(),
  path: authorWarningPathSchema.optional(),
});
export type RestWarning = z.infer<typeof restWarningSchema>;

/** A tool that is one request to an HTTP API. */
export const restDefinitionSchema = z.strictObject({
  name: toolNameSchema,
  /** What people call it. */
  alias: z.string().min(1).max(200).optional(),
  description: z.string().min(1).max(4_000),
  method: httpMethodSchema,
  /** Parameters of the path in braces, as `https://api.example.com/orders/{orderId}`. */
  url: z.string().min(1).max(8_192),
  parameters: z.array(restParameterSchema).max(MAX_REST_PARAMETERS).default([]),
  /** How the parameters of the body are written: one JSON object (the default), or a URL-encoded form. */
  bodyFormat: z.enum(["json", "form"]).optional(),
  /**
   * Whether a POST, PUT or PATCH sends a body even if no field of it is given; default true. With false, the required
   * parameters of the body are required only when one of its parameters is given.
   */
  bodyRequired: z.boolean().optional(),
  /** Name of the workspace secret that goes along. */
  credential: secretNameSchema.optional(),
  warnings: z.array(restWarningSchema).max(MAX_REST_WARNINGS).optional(),
  tags: z.array(z.string().min(1).max(50)).max(20).optional(),
  /** Its results are as good as the author's own: reading them makes no write ask. They stay framed. Default false. */
  trusted: z.boolean().optional(),
  ...callOptionFields,
});
export type RestDefinition = z.infer<typeof restDefinitionSchema>;

/** An entry of an agent's tools that is a request. */
export const restToolSchema = z.strictObject({ rest: restDefinitionSchema }).meta({ id: "RestTool" });
export type RestToolDefinition = z.infer<typeof restToolSchema>;
