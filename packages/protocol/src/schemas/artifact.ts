import * as z from "zod";
import { artifactIdSchema } from "./ids.ts";
import { jsonValueSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";

/** Maximum length of a piece of an artifact, in characters. */
export const MAX_ARTIFACT_PIECE_CHARACTERS = 1_048_576;
/** Default length of a piece, in characters. */
export const DEFAULT_ARTIFACT_PIECE_CHARACTERS = 65_536;

/** The query of `GET /v1/artifacts/:id`. Without parameters the response is the whole content. */
export const artifactQuerySchema = z
  .strictObject({
    /** In UTF-16 code units, like all character counts. */
    offset: z.coerce.number().int().min(0).optional().describe("Where the piece begins, in characters; default 0"),
    length: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_ARTIFACT_PIECE_CHARACTERS)
      .optional()
      .describe(`Characters of the piece; default ${DEFAULT_ARTIFACT_PIECE_CHARACTERS}`),
    path: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe("JSON path (RFC 9535 without filters), as $.items[0:10].name"),
  })
  .refine(({ path, offset, length }) => path === undefined || (offset === undefined && length === undefined), {
    path: ["path"],
    message: "expected either a path, or an offset and a length",
  });

/** A piece of an artifact's text. It begins and ends with whole characters. */
export const artifactPieceSchema = openResponse(
  z.looseObject({
    id: artifactIdSchema,
    mediaType: z.enum(["application/json", "text/plain"]),
    /** Length of the whole artifact. */
    totalCharacters: z.int().min(0),
    totalBytes: z.int().min(0),
    /** Where the piece begins. */
    offset: z.int().min(0),
    /** Where the next piece begins; null for the last one. */
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
    /** At most 10 000 values, and 1 MiB of JSON unless the first value alone is larger. */
    data: z.array(jsonValueSchema),
    /** False if the path selects more, or finding all of it would cost too much. */
    isComplete: z.boolean(),
  })
  .meta({ id: "ArtifactSelection" });
export type ArtifactSelection = z.infer<typeof artifactSelectionSchema>;
