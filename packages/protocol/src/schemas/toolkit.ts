import * as z from "zod";
import { toolIdSchema, toolkitIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { toolNameSchema } from "./names.ts";
import { openResponse } from "./open-response.ts";
import { secretAuthSchema, secretNameSchema } from "./secret.ts";
import { warningSchema } from "./warning.ts";
import { toolStatusSchema, workspaceToolKindSchema, workspaceToolSchema } from "./workspace-tool.ts";

const name = z.string().trim().min(1).max(200);
/** The service of the API, for people. */
const provider = z.string().trim().min(1).max(200);

/** The body of `POST /v1/toolkits`. */
export const createToolkitSchema = z
  .strictObject({
    name,
    provider,
    /** The workspace secret for REST tools of the toolkit that name none. */
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
  /** `keep`: its tools remain, without a toolkit. `archive`: also archives those that are not `created`. */
  tools: z.enum(["keep", "archive"]).default("keep"),
});

/** A group of tools for one API and one credential. */
export const toolkitSchema = openResponse(
  z.looseObject({
    id: toolkitIdSchema,
    name: z.string(),
    provider: z.string(),
    credential: secretNameSchema.nullable(),
    /** In the order of their creation. */
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
    /** Only in responses to saving. */
    warnings: z.array(warningSchema).optional(),
  }),
).meta({ id: "Toolkit" });
export type Toolkit = z.infer<typeof toolkitSchema>;

/** A new toolkit with its tools. */
export const installedToolkitSchema = z
  .looseObject({ toolkit: toolkitSchema, tools: z.array(workspaceToolSchema) })
  .meta({ id: "InstalledToolkit" });
export type InstalledToolkit = z.infer<typeof installedToolkitSchema>;

/** Alternatives, of which a request needs one: the scopes of each scheme in it. Empty: no authentication. */
const securitySchema = z.array(z.record(z.string(), z.array(z.string())));

/** The operations of a document, before tools are created. */
export const importOperationsSchema = openResponse(
  z.looseObject({
    title: z.string(),
    operations: z.array(
      z.looseObject({
        /** Such as `GET /orders/{id}`, as `operations` of an import accepts it. */
        operation: z.string(),
        operationId: z.string().nullable(),
        summary: z.string().nullable(),
        tags: z.array(z.string()),
        isDeprecated: z.boolean(),
        security: securitySchema,
      }),
    ),
    /** Operations that cannot be read; paths are JSON pointers into the document. */
    skipped: z.array(z.looseObject({ operation: z.string(), path: z.string(), reason: z.string() })),
  }),
).meta({ id: "ImportOperations" });
export type ImportOperations = z.infer<typeof importOperationsSchema>;

/** A toolkit from a document, and what the import reports. */
export const importedToolkitSchema = openResponse(
  z.looseObject({
    toolkit: toolkitSchema,
    tools: z.array(workspaceToolSchema),
    /** `notes`, `skipped`, `problems` and `removed` in one list; absent in responses of older gateways. */
    warnings: z.array(warningSchema).optional(),
    /** The operation of each tool, and the security that it needs. */
    operations: z
      .array(
        z.looseObject({
          /** Such as `GET /orders/{id}`. */
          operation: z.string(),
          tool: toolNameSchema,
          security: securitySchema,
          /** The scheme of `auth` for the tool; null if it needs none, or none that is supported. */
          scheme: z.string().nullable(),
        }),
      )
      .optional(),
    /** What was left out or changed. */
    notes: z.array(z.looseObject({ tool: toolNameSchema, note: z.string() })),
    /** Operations that became no tool; paths are JSON pointers into the document. */
    skipped: z.array(z.looseObject({ operation: z.string(), path: z.string(), reason: z.string() })),
    /** Violations of the document's own specification. */
    problems: z.array(z.looseObject({ path: z.string(), message: z.string() })),
    /** Places in the document where invisible characters were removed; absent without any. */
    removed: z
      .array(
        z.looseObject({
          /** JSON pointer into the document. */
          path: z.string(),
          /** Such as `U+200B`, each once, at most 20. */
          codePoints: z.array(z.string()),
          /** Number of removed characters. */
          count: z.int(),
        }),
      )
      .optional(),
    /** How the API authenticates requests: what to create as a secret and to name as the tools' credential. */
    auth: z.array(z.looseObject({ scheme: z.string(), auth: secretAuthSchema, host: z.string(), setup: z.string() })),
  }),
).meta({ id: "ImportedToolkit" });
export type ImportedToolkit = z.infer<typeof importedToolkitSchema>;
