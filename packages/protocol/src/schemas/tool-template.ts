import * as z from "zod";
import { jsonObjectSchema } from "./json.ts";
import { openDefinition } from "./open-response.ts";
import { restDefinitionSchema } from "./rest-tool.ts";
import { secretAuthSchema, secretNameSchema } from "./secret.ts";

const toolkitName = z.string().trim().min(1).max(200);
/**
 * Prefix for the name of each tool, which keeps the tools of two toolkits for the same API apart. If a name becomes too
 * long, its end is cut off.
 */
const namePrefix = z
  .string()
  .max(32)
  .regex(/^[a-z][a-z0-9_]*[_.]$/, "expected snake_case that ends with _ or a dot, such as acme_ or acme.");
/** Names of the operations that become tools. Default: all. */
const operations = z.array(z.string().min(1).max(200)).min(1).max(1_000);

const templateFields = {
  /** Id of the template, such as `github`. */
  id: z.string(),
  /** Name of the service that the API belongs to. */
  service: z.string(),
  /** The purpose of the tools, in a few words. */
  title: z.string(),
  /** URL of the documentation on which the definitions are based. */
  source: z.string(),
  /** The secret that the tools need; null if they need none. */
  credential: z
    .looseObject({
      auth: secretAuthSchema,
      /** Hosts that may receive the secret. */
      hosts: z.array(z.string()),
      /** What the value is, and where to find it. */
      setup: z.string(),
    })
    .nullable(),
  /**
   * Parameters to which a user always passes the same value. Such a value can be fixed when the template is installed.
   */
  settings: z.array(z.looseObject({ parameter: z.string(), description: z.string() })),
};

/** A predefined toolkit for a public API, as lists show it. */
export const toolTemplateSummarySchema = openDefinition(
  z.looseObject({
    ...templateFields,
    tools: z.array(z.looseObject({ name: z.string(), description: z.string(), method: z.string(), url: z.string() })),
  }),
).meta({ id: "ToolTemplateSummary" });
export type ToolTemplateSummary = z.infer<typeof toolTemplateSummarySchema>;

/** A predefined toolkit for a public API. */
export const toolTemplateSchema = openDefinition(
  z.looseObject({ ...templateFields, tools: z.array(z.looseObject(restDefinitionSchema.shape)) }),
).meta({ id: "ToolTemplate" });
export type ToolTemplate = z.infer<typeof toolTemplateSchema>;

/** The body of `POST /v1/tool-templates/:id/install`. */
export const installToolTemplateSchema = z
  .strictObject({
    credential: secretNameSchema.nullable().default(null),
    /** Name of the toolkit. Default: the template's service. */
    toolkitName: toolkitName.optional(),
    /** Names of the template's tools to install. Default: all. */
    tools: operations.optional(),
    /**
     * Values to fix, keyed by the name of the parameter. Each applies to every selected tool that has the parameter.
     */
    values: jsonObjectSchema.default({}),
    namePrefix: namePrefix.optional(),
  })
  .meta({ id: "InstallToolTemplate" });
export type InstallToolTemplate = z.input<typeof installToolTemplateSchema>;

const document = z.union([z.string().min(1), jsonObjectSchema]);
const selection = z.array(z.string().min(1).max(500)).min(1).max(1_000);
/** A document and a selection of its operations. If several lists are given, an operation must match all of them. */
const documentFields = {
  /** An OpenAPI 3.0 or 3.1 document: a JSON object, or a string that contains JSON or YAML. */
  openapi: document,
  /**
   * Other documents that references point to, keyed by their names relative to `openapi`, such as `schemas/order.yaml`.
   */
  documents: z.record(z.string().min(1).max(500), document).optional(),
  /** The name of the document in `openapi`, for references from other documents to it. */
  documentName: z.string().min(1).max(500).optional(),
  /** Operations to select, by operation id, or by method and path, such as `GET /orders/{id}`. */
  operations: operations.optional(),
  /** Tags to select. An operation matches if it has at least one of them. */
  tags: selection.optional(),
  /** Paths to select, such as `/orders` or `/orders/*`. `*` stands for any characters. */
  paths: selection.optional(),
};

/** The body of `POST /v1/tools/import/operations`. */
export const listImportOperationsSchema = z.strictObject(documentFields).meta({ id: "ListImportOperations" });
export type ListImportOperations = z.input<typeof listImportOperationsSchema>;

/** The body of `POST /v1/tools/import`. */
export const importToolsSchema = z
  .strictObject({
    ...documentFields,
    /** URL of the API, such as `https://api.example.com/v1`, for documents that contain none. */
    server: z.string().min(1).max(2_048).optional(),
    /** The secret for every tool to which `credentials` assigns none. */
    credential: secretNameSchema.nullable().default(null),
    /**
     * Secrets, keyed by the names of the document's security schemes. Each tool gets the secret for the scheme that it
     * needs.
     */
    credentials: z.record(z.string().min(1).max(200), secretNameSchema).optional(),
    /** Name of the toolkit. Default: the document's title. */
    toolkitName: toolkitName.optional(),
    namePrefix: namePrefix.optional(),
  })
  .meta({ id: "ImportTools" });
export type ImportTools = z.input<typeof importToolsSchema>;
