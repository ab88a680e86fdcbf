import * as z from "zod";
import { jsonObjectSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { sideEffectSchema } from "./side-effect.ts";
import { sourceToolSchema } from "./tool-source.ts";

/** One tool of a source, with its definitions. */
export const sourceToolDetailSchema = openResponse(
  z.looseObject({
    ...sourceToolSchema.shape,
    /** The published definition; null if the tool was removed. */
    definition: jsonObjectSchema.nullable(),
    /** The accepted definition; null while no definition is accepted. */
    acceptedDefinition: jsonObjectSchema.nullable(),
    /** What an MCP server claims about the tool, unchecked. Absent for other kinds of sources. */
    hints: z.looseObject({ annotations: jsonObjectSchema, proposedSideEffect: sideEffectSchema.nullable() }).optional(),
    /** Why the tool stays off even when it is accepted; null if nothing prevents it. */
    conflict: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  }),
).meta({ id: "SourceToolDetail" });
export type SourceToolDetail = z.infer<typeof sourceToolDetailSchema>;
