import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { restDefinitionSchema } from "./rest-tool.ts";
import { secretAuthSchema, secretNameSchema } from "./secret.ts";

const toolkitName = z.string().trim().min(1).max(200);
/** Put before the name of each tool, so that two toolkits of one API can be told apart. */
const namePrefix = z
  .string()
  .max(32)
  .regex(/^[a-z][a-z0-9_]*[_.]$/, "expected snake_case that ends with _ or a dot, such as acme_ or acme.");
/** Names of the operations that become tools; every one otherwise. */
const operations = z.array(z.string().min(1).max(200)).min(1).max(1_000);

const templateFields = {
  /** As `github`. */
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  description: z.string(),
  /** Where its provider documents it. */
  documentationUrl: z.string(),
  /** How the provider wants its key; null: it needs none. */
  auth: secretAuthSchema.nullable(),
};

/** A ready toolkit for a public API, as lists show it. */
export const toolTemplateSummarySchema = z
  .looseObject({
    ...templateFields,
    tools: z.array(z.looseObject({ name: z.string(), description: z.string(), method: z.string(), url: z.string() })),
  })
  .meta({ id: "ToolTemplateSummary" });
export type ToolTemplateSummary = z.infer<typeof toolTemplateSummarySchema>;

/** A ready toolkit for a public API. */
export const toolTemplateSchema = z
  .looseObject({ ...templateFields, tools: z.array(z.looseObject(restDefinitionSchema.shape)) })
  .meta({ id: "ToolTemplate" });
export type ToolTemplate = z.infer<typeof toolTemplateSchema>;

/** The body of `POST /v1/tool-templates/:id/install`. */
export const installToolTemplateSchema = z
  .strictObject({
    credential: secretNameSchema.nullable().default(null),
    /** Default: the template's name. */
    toolkitName: toolkitName.optional(),
    /** Names of the template's tools; every one otherwise. */
    tools: operations.optional(),
    namePrefix: namePrefix.optional(),
  })
  .meta({ id: "InstallToolTemplate" });
export type InstallToolTemplate = z.input<typeof installToolTemplateSchema>;

/** The body of `POST /v1/tools/import`. */
export const importToolsSchema = z
  .strictObject({
    /** An OpenAPI 3.0 or 3.1 document: JSON, or a text of JSON or YAML. */
    openapi: z.union([z.string().min(1), jsonObjectSchema]),
    operations: operations.optional(),
    credential: secretNameSchema.nullable().default(null),
    /** Default: the document's title. */
    toolkitName: toolkitName.optional(),
    namePrefix: namePrefix.optional(),
  })
  .meta({ id: "ImportTools" });
export type ImportTools = z.input<typeof importToolsSchema>;
