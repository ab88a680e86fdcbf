import * as z from "zod";
import { artifactIdSchema } from "./ids.ts";
import { jsonValueSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";

/** Longest piece of an artifact that is answered at once, in characters. */
export const MAX_ARTIFACT_PIECE_CHARACTERS = 1_048_576;
/** Default length of a piece, in characters. */
export const DEFAULT_ARTIFACT_PIECE_CHARACTERS = 65_536;

/** The query of `GET /v1/artifacts/:id`; without any the answer is the whole content as it is. */
export const artifactQuerySchema = z
  .strictObject({
    /** In UTF-16 code units, as everything that counts characters here. */
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

/** A part of an artifact's text; it begins and ends with whole characters. */
export const artifactPieceSchema = openResponse(
  z.looseObject({
    id: artifactIdSchema,
    mediaType: z.enum(["application/json", "text/plain"]),
    /** Of the whole artifact. */
    totalCharacters: z.int().min(0),
    totalBytes: z.int().min(0),
    /** Where the piece begins. */
    offset: z.int().min(0),
    /** Where the next one begins; null: this is the last one. */
    nextOffset: z.int().min(0).nullable(),
    text: z.string(),
  }),
).meta({ id: "ArtifactPiece" });
export type ArtifactPiece = z.infer<typeof artifactPieceSchema>;

/** What a JSON path selects of an artifact, in the order of the document. */
export const artifactSelectionSchema = z
  .looseObject({
    id: artifactIdSchema,
    path: z.string(),
    /** At most 10 000 values, and 1 MiB of JSON unless the first one alone is larger. */
    data: z.array(jsonValueSchema),
    /** False: the path selects more, or finding all of it would cost too much. */
    isComplete: z.boolean(),
  })
  .meta({ id: "ArtifactSelection" });
export type ArtifactSelection = z.infer<typeof artifactSelectionSchema>;
