import * as z from "zod";

/** Maximum number of paths in one list. */
const MAX_PATHS = 50;
const MAX_PATH_CHARACTERS = 500;
/**
 * Bounds of `maxTokens`: the lower bound leaves enough space for a preview, and the upper bound is the maximum length
 * of a result. Longer results are read in parts.
 */
const MIN_TOKENS = 500;
const MAX_TOKENS = 12_500;

const path = z
  .string()
  .max(MAX_PATH_CHARACTERS)
  .startsWith("$", "expected a JSON path that starts with $, the result, such as $.items[*].id");

/** Selects the part of a tool's results that the model reads. The record always contains the complete results. */
export const projectionSchema = z
  .strictObject({
    /**
     * Keeps only the values at these paths, in their original structure: 1 to 50 JSON paths (RFC 9535 without filters).
     */
    keep: z.array(path).min(1).max(MAX_PATHS).optional(),
    /** Replaces the values at these paths with `"***"`: 1 to 50 JSON paths. */
    redact: z.array(path).min(1).max(MAX_PATHS).optional(),
    /**
     * Length above which the model reads a result as a preview and then in parts: 500 to 12,500 estimated tokens,
     * default 12,500.
     */
    maxTokens: z.int().min(MIN_TOKENS).max(MAX_TOKENS).optional(),
  })
  .meta({ id: "Projection" });

export type Projection = z.infer<typeof projectionSchema>;
