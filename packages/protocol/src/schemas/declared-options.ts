import * as z from "zod";
import { riskClassSchema, sideEffectSchema } from "./side-effect.ts";

export const MAX_TOOL_TIMEOUT_MS = 600_000;

/** The call options that the author of a handler may declare next to the code of a tool. */
export const declaredOptionFields = {
  /** Time limit of one attempt in ms: 1 to 600,000. Default: 10,000, or 30,000 for network tools. */
  timeout: z.int().min(1).max(MAX_TOOL_TIMEOUT_MS).optional(),
  sideEffect: sideEffectSchema.optional(),
  risk: riskClassSchema.optional(),
  usageNotes: z.string().max(4_000).optional(),
  /**
   * The language of the tool's texts, as a two-letter code of ISO 639-1; default: `en`. Tool search compares words of
   * this language by their stems.
   */
  language: z
    .string()
    .regex(/^[a-z]{2}$/, "expected a two-letter code of a language, such as de")
    .optional(),
  /** Whether the handler may respond with 202 and deliver the result later to the call's callback. */
  async: z.boolean().optional(),
} as const;

/** The options of a tool that its handler declares. Other fields are dropped. */
export const declaredOptionsSchema = z.object(declaredOptionFields);

/** The call options that the author of a handler may declare next to the code of a tool. */
export type DeclaredOptions = z.infer<typeof declaredOptionsSchema>;
