import * as z from "zod";
import { toolIdSchema, toolkitIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { toolNameSchema } from "./names.ts";
import { openResponse } from "./open-response.ts";
import { secretAuthSchema, secretNameSchema } from "./secret.ts";
import { warningSchema } from "./warning.ts";
import { toolStatusSchema, workspaceToolKindSchema, workspaceToolSchema } from "./workspace-tool.ts";

const name = z.string().trim().min(1).max(200);
/** Whose API it is, as people call it. */
const provider = z.string().trim().min(1).max(200);

/** The body of `POST /v1/toolkits`. */
export const createToolkitSchema = z
  .strictObject({
    name,
    provider,
    /** The workspace secret that REST tools made in the toolkit get, unless they name their own. */
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
  /** `keep`: its tools stay, outside of any toolkit. `archive`: those that are not `created` go with it. */
  tools: z.enum(["keep", "archive"]).default("keep"),
});

/** Tools that were made together, for one provider and credential. */
export const toolkitSchema = openResponse(
  z.looseObject({
    id: toolkitIdSchema,
    name: z.string(),
    provider: z.string(),
    credential: secretNameSchema.nullable(),
    /** In the order of their making. */
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
    /** Only in the answers to saving. */
    warnings: z.array(warningSchema).optional(),
  }),
).meta({ id: "Toolkit" });
export type Toolkit = z.infer<typeof toolkitSchema>;

/** A toolkit that was just made, with its tools. */
export const installedToolkitSchema = z
  .looseObject({ toolkit: toolkitSchema, tools: z.array(workspaceToolSchema) })
  .meta({ id: "InstalledToolkit" });
export type InstalledToolkit = z.infer<typeof installedToolkitSchema>;

/** The alternatives of which a request needs one: the scopes of each scheme in it. None: it needs no authentication. */
const securitySchema = z.array(z.record(z.string(), z.array(z.string())));

/** The operations of a document, before any tool is made of them. */
export const importOperationsSchema = openResponse(
  z.looseObject({
    title: z.string(),
    operations: z.array(
      z.looseObject({
        /** As `GET /orders/{id}`; what `operations` of an import takes. */
        operation: z.string(),
        operationId: z.string().nullable(),
        summary: z.string().nullable(),
        tags: z.array(z.string()),
        isDeprecated: z.boolean(),
        security: securitySchema,
      }),
    ),
    /** Operations that can't be read; paths are JSON pointers into the document. */
    skipped: z.array(z.looseObject({ operation: z.string(), path: z.string(), reason: z.string() })),
  }),
).meta({ id: "ImportOperations" });
export type ImportOperations = z.infer<typeof importOperationsSchema>;

/** A toolkit that was just made of a document, and what is to be known of that. */
export const importedToolkitSchema = openResponse(
  z.looseObject({
    toolkit: toolkitSchema,
    tools: z.array(workspaceToolSchema),
    /** All of `notes`, `skipped`, `problems` and `removed` in one shape; absent from the answers of older gateways. */
    warnings: z.array(warningSchema).optional(),
    /** Which tool was made of which operation, and which security that needs. */
    operations: z
      .array(
        z.looseObject({
          /** As `GET /orders/{id}`. */
          operation: z.string(),
          tool: toolNameSchema,
          security: securitySchema,
          /** The scheme of `auth` that the tool is meant to use; null: it needs none, or none that can be used. */
          scheme: z.string().nullable(),
        }),
      )
      .optional(),
    /** What was left out or changed on the way to a tool. */
    notes: z.array(z.looseObject({ tool: toolNameSchema, note: z.string() })),
    /** Operations that no tool could be made of; paths are JSON pointers into the document. */
    skipped: z.array(z.looseObject({ operation: z.string(), path: z.string(), reason: z.string() })),
    /** What the document's own specification has against it. */
    problems: z.array(z.looseObject({ path: z.string(), message: z.string() })),
    /** Places of the document where characters were taken out that a reader could not see; absent where there were none. */
    removed: z
      .array(
        z.looseObject({
          /** JSON pointer into the document. */
          path: z.string(),
          /** As `U+200B`, each once, 20 at most. */
          codePoints: z.array(z.string()),
          /** How many characters. */
          count: z.int(),
        }),
      )
      .optional(),
    /** How the API wants to be authenticated at: what to set up as a secret, and name as the tools' credential. */
    auth: z.array(z.looseObject({ scheme: z.string(), auth: secretAuthSchema, host: z.string(), setup: z.string() })),
  }),
).meta({ id: "ImportedToolkit" });
export type ImportedToolkit = z.infer<typeof importedToolkitSchema>;
