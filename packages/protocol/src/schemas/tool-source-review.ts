import * as z from "zod";
import { toolIdSchema } from "./ids.ts";
import { sideEffectSchema } from "./side-effect.ts";
import { MAX_TOOLS_PER_SOURCE, publishedNameSchema } from "./tool-source.ts";

const hashSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, "expected the hash of a definition, as in the list of changes");

/** The body of `POST /v1/tool-sources/:id/accept`. */
export const acceptToolsSchema = z
  .strictObject({
    tools: z
      .array(
        z.strictObject({
          name: publishedNameSchema,
          /** The hash of the definition that was reviewed. */
          hash: hashSchema,
          /** The side effect of the tool, which replaces the one that the source declares. */
          sideEffect: sideEffectSchema.optional(),
        }),
      )
      .min(1)
      .max(MAX_TOOLS_PER_SOURCE),
  })
  .meta({ id: "AcceptTools" });
export type AcceptTools = z.input<typeof acceptToolsSchema>;

/** The body of `POST /v1/tool-sources/:id/adopt`. */
export const adoptToolsSchema = z
  .strictObject({
    tools: z
      .array(
        z.strictObject({
          /** A finalized REST tool of the workspace. */
          toolId: toolIdSchema,
          /**
           * The published name of the operation. Default: the operation with the same method and URL or, failing that, with
           * the same method and path, or with the name of the tool.
           */
          name: publishedNameSchema.optional(),
        }),
      )
      .min(1)
      .max(MAX_TOOLS_PER_SOURCE),
  })
  .meta({ id: "AdoptTools" });
export type AdoptTools = z.input<typeof adoptToolsSchema>;

/** The body of `POST /v1/tool-sources/:id/revoke`. */
export const revokeToolsSchema = z
  .strictObject({
    /** Published names of the tools. Default: all tools of the source. */
    tools: z.array(publishedNameSchema).min(1).max(MAX_TOOLS_PER_SOURCE).optional(),
  })
  .meta({ id: "RevokeTools" });
export type RevokeTools = z.input<typeof revokeToolsSchema>;
