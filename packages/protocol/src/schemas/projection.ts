import * as z from "zod";

/** Most places of one list, and characters of one path. */
const MAX_PATHS = 50;
const MAX_PATH_CHARACTERS = 500;
/** What a preview of a result needs, and what no result takes: larger ones are read in parts. */
const MIN_TOKENS = 500;
const MAX_TOKENS = 12_500;

const path = z
  .string()
  .max(MAX_PATH_CHARACTERS)
  .startsWith("$", "expected a JSON path such as $.items[*].id, from the result on");

/**
 * What of a tool's results a model reads. The record keeps them whole.
 */
export const projectionSchema = z
  .strictObject({
    /** Only these places, in the shape that they have in the result: 1 to 50 JSON paths (RFC 9535 without filters). */
    keep: z.array(path).min(1).max(MAX_PATHS).optional(),
    /** `"***"` in the place of each of these: 1 to 50 JSON paths. */
    redact: z.array(path).min(1).max(MAX_PATHS).optional(),
    /** A longer result is read as a preview, and further in parts: 500 to 12 500 estimated tokens, default 12 500. */
    maxTokens: z.int().min(MIN_TOKENS).max(MAX_TOKENS).optional(),
  })
  .meta({ id: "Projection" });

export type Projection = z.infer<typeof projectionSchema>;
