import * as z from "zod";
import { artifactIdSchema } from "./ids.ts";
import { jsonValueSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";

/** Maximum length of a part of an artifact, in characters. */
export const MAX_ARTIFACT_PIECE_CHARACTERS = 1_048_576;
/** Default length of a part, in characters. */
export const DEFAULT_ARTIFACT_PIECE_CHARACTERS = 65_536;

/** The query of `GET /v1/artifacts/:id`. Without any parameters, the response contains the complete artifact. */
export const artifactQuerySchema = z
  .strictObject({
    /** Start of the part, in UTF-16 code units. All character counts use this unit. */
    offset: z.coerce.number().int().min(0).optional().describe("Where the part begins, in characters; default 0"),
    length: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_ARTIFACT_PIECE_CHARACTERS)
      .optional()
      .describe(`Length of the part in characters; default ${DEFAULT_ARTIFACT_PIECE_CHARACTERS}`),
    path: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe("JSON path (RFC 9535 without filters), such as $.items[0:10].name"),
  })
  .refine(({ path, offset, length }) => path === undefined || (offset === undefined && length === undefined), {
    path: ["path"],
    message: "expected either a path or an offset and a length",
  });

/** A part of an artifact's text. It never starts or ends in the middle of a surrogate pair. */
export const artifactPieceSchema = openResponse(
  z.looseObject({
    id: artifactIdSchema,
    mediaType: z.enum(["application/json", "text/plain"]),
    /** Length of the complete artifact, in characters. */
    totalCharacters: z.int().min(0),
    totalBytes: z.int().min(0),
    /** Where the part starts, in characters. */
    offset: z.int().min(0),
    /** Where the next part starts, in characters; null for the last part. */
    nextOffset: z.int().min(0).nullable(),
    text: z.string(),
  }),
).meta({ id: "ArtifactPiece" });
export type ArtifactPiece = z.infer<typeof artifactPieceSchema>;

/** The values that a JSON path selects from an artifact, in the order of the document. */
export const artifactSelectionSchema = z
  .looseObject({
    id: artifactIdSchema,
    path: z.string(),
    /** At most 10,000 values and 1 MiB of JSON, unless the first value alone is larger. */
    data: z.array(jsonValueSchema),
    /** False if the path selects further values, or if finding all of them would take too much time. */
    isComplete: z.boolean(),
  })
  .meta({ id: "ArtifactSelection" });
export type ArtifactSelection = z.infer<typeof artifactSelectionSchema>;
