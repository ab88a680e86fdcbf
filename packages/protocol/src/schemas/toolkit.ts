import * as z from "zod";
import { toolIdSchema, toolkitIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { secretAuthSchema, secretNameSchema } from "./secret.ts";
import { toolNameSchema } from "./tool-name.ts";
import { warningSchema } from "./warning.ts";
import { toolStatusSchema, workspaceToolKindSchema, workspaceToolSchema } from "./workspace-tool.ts";

const name = z.string().trim().min(1).max(200);
/** Name of the service that offers the API, for display. */
const provider = z.string().trim().min(1).max(200);

/** The body of `POST /v1/toolkits`. */
export const createToolkitSchema = z
  .strictObject({
    name,
    provider,
    /** The workspace secret for the REST tools in the toolkit that set no credential of their own. */
    credential: secretNameSchema.nullable().default(null),
  })
  .meta({ id: "CreateToolkit" });
export type CreateToolkit = z.input<typeof createToolkitSchema>;

/** The body of `PATCH /v1/toolkits/:id`. */
export const updateToolkitSchema = z
  .strictObject({ name, provider, credential: secretNameSchema.nullable() })
  .partial()
  .meta({ id: "UpdateToolkit" });
export type UpdateToolkit = z.input<typeof updateToolkitSchema>;

/** The query of `DELETE /v1/toolkits/:id`. */
export const deleteToolkitQuerySchema = z.strictObject({
  /**
   * `keep`: its tools remain, without a toolkit. `archive`: its tools are archived, except those with the status
   * `created`.
   */
  tools: z.enum(["keep", "archive"]).default("keep"),
});

/** A group of tools for one API and one credential. */
export const toolkitSchema = openResponse(
  z.looseObject({
    id: toolkitIdSchema,
    name: z.string(),
    provider: z.string(),
    credential: secretNameSchema.nullable(),
    /** The tools, in the order in which they were created. */
    tools: z.array(
      z.looseObject({
        id: toolIdSchema,
        name: toolNameSchema,
        kind: workspaceToolKindSchema,
        status: toolStatusSchema,
      }),
    ),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** Only in responses to requests that save the toolkit. */
    warnings: z.array(warningSchema).optional(),
  }),
).meta({ id: "Toolkit" });
export type Toolkit = z.infer<typeof toolkitSchema>;

/** A new toolkit with its tools. */
export const installedToolkitSchema = z
  .looseObject({ toolkit: toolkitSchema, tools: z.array(workspaceToolSchema) })
  .meta({ id: "InstalledToolkit" });
export type InstalledToolkit = z.infer<typeof installedToolkitSchema>;

/**
 * Alternative ways to authenticate; a request needs only one of them. Each lists its schemes with their scopes. Empty:
 * no authentication.
 */
const securitySchema = z.array(z.record(z.string(), z.array(z.string())));

/** The operations in a document, listed before tools are created from it. */
export const importOperationsSchema = openResponse(
  z.looseObject({
    title: z.string(),
    operations: z.array(
      z.looseObject({
        /** Method and path, such as `GET /orders/{id}`. An import accepts this form in `operations`. */
        operation: z.string(),
        operationId: z.string().nullable(),
        summary: z.string().nullable(),
        tags: z.array(z.string()),
        isDeprecated: z.boolean(),
        security: securitySchema,
      }),
    ),
    /** Operations that cannot be read. Each `path` is a JSON pointer into the document. */
    skipped: z.array(z.looseObject({ operation: z.string(), path: z.string(), reason: z.string() })),
  }),
).meta({ id: "ImportOperations" });
export type ImportOperations = z.infer<typeof importOperationsSchema>;

/** A toolkit that was created from a document, with a report on the import. */
export const importedToolkitSchema = openResponse(
  z.looseObject({
    toolkit: toolkitSchema,
    tools: z.array(workspaceToolSchema),
    /** `notes`, `skipped`, `problems` and `removed` in one list; absent in responses from older gateways. */
    warnings: z.array(warningSchema).optional(),
    /** For each tool, its operation and the authentication that it needs. */
    operations: z
      .array(
        z.looseObject({
          /** Method and path, such as `GET /orders/{id}`. */
          operation: z.string(),
          tool: toolNameSchema,
          security: securitySchema,
          /**
           * The scheme in `auth` that the tool uses; null if the tool needs no authentication or if none of the schemes
           * that it accepts is supported.
           */
          scheme: z.string().nullable(),
        }),
      )
      .optional(),
    /** What the import left out or changed in each tool. */
    notes: z.array(z.looseObject({ tool: toolNameSchema, note: z.string() })),
    /** Operations for which no tool was created. Each `path` is a JSON pointer into the document. */
    skipped: z.array(z.looseObject({ operation: z.string(), path: z.string(), reason: z.string() })),
    /** Violations of the OpenAPI specification in the document. */
    problems: z.array(z.looseObject({ path: z.string(), message: z.string() })),
    /** Locations in the document where invisible characters were removed; absent if there are none. */
    removed: z
      .array(
        z.looseObject({
          /** JSON pointer into the document. */
          path: z.string(),
          /** Up to 20 different code points, such as `U+200B`. */
          codePoints: z.array(z.string()),
          /** Number of removed characters. */
          count: z.int(),
        }),
      )
      .optional(),
    /** How the API authenticates requests: the secrets to create, and to set as credentials for the tools. */
    auth: z.array(z.looseObject({ scheme: z.string(), auth: secretAuthSchema, host: z.string(), setup: z.string() })),
  }),
).meta({ id: "ImportedToolkit" });
export type ImportedToolkit = z.infer<typeof importedToolkitSchema>;
