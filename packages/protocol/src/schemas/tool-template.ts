import * as z from "zod";
import { jsonObjectSchema } from "./json.ts";
import { openDefinition } from "./open-response.ts";
import { restDefinitionSchema } from "./rest-tool.ts";
import { secretAuthSchema, secretNameSchema } from "./secret.ts";

const toolkitName = z.string().trim().min(1).max(200);
/**
 * Put before the name of each tool, so that two toolkits of one API can be told apart. A name that gets too long is cut at
 * its end.
 */
const namePrefix = z
  .string()
  .max(32)
  .regex(/^[a-z][a-z0-9_]*[_.]$/, "expected snake_case that ends with _ or a dot, such as acme_ or acme.");
/** Names of the operations that become tools; every one otherwise. */
const operations = z.array(z.string().min(1).max(200)).min(1).max(1_000);

const templateFields = {
  /** As `github`. */
  id: z.string(),
  /** Whose API it is. */
  service: z.string(),
  /** What the tools are for, in a few words. */
  title: z.string(),
  /** Address of the documentation that the definitions follow. */
  source: z.string(),
  /** The secret that it asks for; null: none. */
  credential: z
    .looseObject({
      auth: secretAuthSchema,
      /** Where the secret may be sent to. */
      hosts: z.array(z.string()),
      /** What its value is, and where its owner finds it. */
      setup: z.string(),
    })
    .nullable(),
  /** Parameters that are the same in every call of one user, and so are better fixed at the installation. */
  settings: z.array(z.looseObject({ parameter: z.string(), description: z.string() })),
};

/** A ready toolkit for a public API, as lists show it. */
export const toolTemplateSummarySchema = openDefinition(
  z.looseObject({
    ...templateFields,
    tools: z.array(z.looseObject({ name: z.string(), description: z.string(), method: z.string(), url: z.string() })),
  }),
).meta({ id: "ToolTemplateSummary" });
export type ToolTemplateSummary = z.infer<typeof toolTemplateSummarySchema>;

/** A ready toolkit for a public API. */
export const toolTemplateSchema = openDefinition(
  z.looseObject({ ...templateFields, tools: z.array(z.looseObject(restDefinitionSchema.shape)) }),
).meta({ id: "ToolTemplate" });
export type ToolTemplate = z.infer<typeof toolTemplateSchema>;

/** The body of `POST /v1/tool-templates/:id/install`. */
export const installToolTemplateSchema = z
  .strictObject({
    credential: secretNameSchema.nullable().default(null),
    /** Default: the template's service. */
    toolkitName: toolkitName.optional(),
    /** Names of the template's tools; every one otherwise. */
    tools: operations.optional(),
    /** Values to fix, by the names of parameters: in every chosen tool that has one of that name. */
    values: jsonObjectSchema.default({}),
    namePrefix: namePrefix.optional(),
  })
  .meta({ id: "InstallToolTemplate" });
export type InstallToolTemplate = z.input<typeof installToolTemplateSchema>;

const document = z.union([z.string().min(1), jsonObjectSchema]);
const selection = z.array(z.string().min(1).max(500)).min(1).max(1_000);
/** A document, and which of its operations are meant: those that match each of the lists that are given. */
const documentFields = {
  /** An OpenAPI 3.0 or 3.1 document: JSON, or a text of JSON or YAML. */
  openapi: document,
  /** Further documents that references lead to, by their names as seen from `openapi`, such as `schemas/order.yaml`. */
  documents: z.record(z.string().min(1).max(500), document).optional(),
  /** The name of `openapi` itself, for references back to it. */
  documentName: z.string().min(1).max(500).optional(),
  /** Ids of operations, or `GET /orders/{id}`. */
  operations: operations.optional(),
  /** Names of tags: the operations that have one of them. */
  tags: selection.optional(),
  /** Paths of the API, such as `/orders` and `/orders/*`, where `*` stands for any characters. */
  paths: selection.optional(),
};

/** The body of `POST /v1/tools/import/operations`. */
export const listImportOperationsSchema = z.strictObject(documentFields).meta({ id: "ListImportOperations" });
export type ListImportOperations = z.input<typeof listImportOperationsSchema>;

/** The body of `POST /v1/tools/import`. */
export const importToolsSchema = z
  .strictObject({
    ...documentFields,
    /** Where the API is, for a document that does not say so, as `https://api.example.com/v1`. */
    server: z.string().min(1).max(2_048).optional(),
    /** The secret of every tool that `credentials` gives none. */
    credential: secretNameSchema.nullable().default(null),
    /** Secrets by the names of the document's security schemes: each tool gets that of the scheme that it needs. */
    credentials: z.record(z.string().min(1).max(200), secretNameSchema).optional(),
    /** Default: the document's title. */
    toolkitName: toolkitName.optional(),
    namePrefix: namePrefix.optional(),
  })
  .meta({ id: "ImportTools" });
export type ImportTools = z.input<typeof importToolsSchema>;
