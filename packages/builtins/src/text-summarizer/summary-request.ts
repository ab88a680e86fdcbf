import type { JsonObject } from "@yagate/protocol";
import * as z from "zod";
import type { BuiltinTool } from "../builtin-tool.ts";

/** Maximum length of a text to summarise, in UTF-16 code units. */
export const MAX_TEXT_CHARACTERS = 2_097_152;

export const SUMMARY_MODES = ["auto", "model", "extractive"] as const;

/** `auto`: a model summary if there is a model and the budget allows it, otherwise the first sentences of the text. */
export type SummaryMode = (typeof SUMMARY_MODES)[number];

/** The parameters of a summary. */
export interface SummaryRequest {
  readonly text?: string;
  readonly artifactId?: string;
  /** JSON path of the text in the artifact. */
  readonly path?: string;
  readonly mode: SummaryMode;
  /** Whether the call requested a mode that the agent's author does not allow. */
  readonly isModeOverruled: boolean;
  readonly maxSentences: number;
  /** Number of key points; 0 for none. */
  readonly keyPoints: number;
  /** Maximum number of words; if undefined, only the number of sentences is limited. */
  readonly maxWords?: number;
  /** What the reader wants to know. */
  readonly focus?: string;
  /** BCP 47 tag. */
  readonly language?: string;
}

/** The config that an agent's author can set for the tool. */
export const summarizerConfigSchema = z.strictObject({
  /** `auto` leaves the mode to each call; any other value applies to all calls. */
  mode: z.enum(SUMMARY_MODES).default("auto"),
  /** Maximum number of model requests for one summary. */
  maxQuestions: z.int().min(1).max(150).default(50),
  /** Default for calls that do not specify a number. */
  maxSentences: z.int().min(1).max(50).default(5),
  keyPoints: z.int().min(0).max(20).default(5),
});
export type SummarizerConfig = z.infer<typeof summarizerConfigSchema>;

/** The JSON Schemas of the parameters, with descriptions for models. */
export const SUMMARY_PARAMETERS = {
  type: "object",
  properties: {
    text: { type: "string", minLength: 1, maxLength: MAX_TEXT_CHARACTERS, description: "The text to summarise" },
    artifactId: {
      type: "string",
      pattern: "^art_",
      description: "Instead of text: the id of a result that was too large to show",
    },
    path: {
      type: "string",
      minLength: 1,
      maxLength: 2_000,
      description: "With artifactId: JSON path to the text in it, such as $.content. Default: all texts in it",
    },
    maxSentences: { type: "integer", minimum: 1, maximum: 50, description: "Length of the summary. Default: 5" },
    maxWords: { type: "integer", minimum: 10, maximum: 2_000, description: "Maximum number of words in the summary" },
    keyPoints: {
      type: "integer",
      minimum: 0,
      maximum: 20,
      description: "Number of key points, each with the passages that support it. Default: 5",
    },
    focus: { type: "string", minLength: 1, maxLength: 500, description: "What to look for in the text, as a question" },
    language: {
      type: "string",
      minLength: 2,
      maxLength: 35,
      description: "Language of the summary, such as en or pt-BR. Default: the language of the text",
    },
    mode: {
      type: "string",
      enum: [...SUMMARY_MODES],
      description: "model: rewritten. extractive: the first sentences of the text. Default: auto, model where possible",
    },
  },
  // Exactly one of text and artifactId is required, but providers reject the keywords that express this.
  minProperties: 1,
  additionalProperties: false,
} as const satisfies BuiltinTool["parameters"];

/** Converts the arguments, whose types were already validated against the tool's parameters. */
export function toSummaryRequest(
  parameters: Readonly<Record<string, unknown>>,
  config: SummarizerConfig,
): SummaryRequest {
  const { text, artifactId, path, maxSentences, keyPoints, maxWords, focus, language } = parameters;
  const asked = SUMMARY_MODES.find((known) => known === parameters["mode"]) ?? "auto";
  const mode = config.mode === "auto" ? asked : config.mode;
  return {
    mode,
    isModeOverruled: asked !== "auto" && asked !== mode,
    maxSentences: typeof maxSentences === "number" ? maxSentences : config.maxSentences,
    keyPoints: typeof keyPoints === "number" ? keyPoints : config.keyPoints,
    ...(typeof text === "string" ? { text } : {}),
    ...(typeof artifactId === "string" ? { artifactId } : {}),
    ...(typeof path === "string" ? { path } : {}),
    ...(typeof maxWords === "number" ? { maxWords } : {}),
    ...(typeof focus === "string" ? { focus } : {}),
    ...(typeof language === "string" ? { language } : {}),
  };
}

/** Parses an agent's config for the tool, or returns its errors. */
export function parseSummarizerConfig(config: JsonObject) {
  return summarizerConfigSchema.safeParse(config);
}
