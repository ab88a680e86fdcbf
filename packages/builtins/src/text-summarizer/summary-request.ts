import type { JsonObject } from "@yagate/protocol";
import * as z from "zod";
import type { BuiltinTool } from "../builtin-tool.ts";

/** Longest text that is summarised, in UTF-16 units. */
export const MAX_TEXT_CHARACTERS = 2_097_152;

export const SUMMARY_MODES = ["auto", "model", "extractive"] as const;

/** `auto`: by the model where there is one and the budget allows it, otherwise by sentences of the text. */
export type SummaryMode = (typeof SUMMARY_MODES)[number];

/** What a summary is to be. */
export interface SummaryRequest {
  readonly text?: string;
  readonly artifactId?: string;
  /** JSON path to the text in an artifact. */
  readonly path?: string;
  readonly mode: SummaryMode;
  /** The call asked for another mode than the agent's author allows. */
  readonly isModeOverruled: boolean;
  readonly maxSentences: number;
  /** How many; 0: none. */
  readonly keyPoints: number;
  /** Of the summary; undefined: only its sentences bound it. */
  readonly maxWords?: number;
  /** What the reader wants to know. */
  readonly focus?: string;
  /** A BCP 47 tag. */
  readonly language?: string;
}

/** What an agent's author may set. */
export const summarizerConfigSchema = z.strictObject({
  /** `auto` leaves it to each call; any other one holds for all calls, whatever they ask for. */
  mode: z.enum(SUMMARY_MODES).default("auto"),
  /** Most questions to the model for one summary. */
  maxQuestions: z.int().min(1).max(150).default(50),
  /** Of calls that ask for no other number. */
  maxSentences: z.int().min(1).max(50).default(5),
  keyPoints: z.int().min(0).max(20).default(5),
});
export type SummarizerConfig = z.infer<typeof summarizerConfigSchema>;

/** For models. */
export const SUMMARY_PARAMETERS = {
  type: "object",
  properties: {
    text: { type: "string", minLength: 1, maxLength: MAX_TEXT_CHARACTERS, description: "The text to summarise" },
    artifactId: {
      type: "string",
      pattern: "^art_",
      description: "Instead of text: the id of a result that was too large to be shown",
    },
    path: {
      type: "string",
      minLength: 1,
      maxLength: 2_000,
      description: "With artifactId: JSON path to the text in it, as $.content. Default: all texts in it",
    },
    maxSentences: { type: "integer", minimum: 1, maximum: 50, description: "Length of the summary. Default: 5" },
    maxWords: { type: "integer", minimum: 10, maximum: 2_000, description: "Most words of the summary" },
    keyPoints: {
      type: "integer",
      minimum: 0,
      maximum: 20,
      description: "Key points to name, each with the passages that it rests on. Default: 5",
    },
    focus: { type: "string", minLength: 1, maxLength: 500, description: "What to look for in the text, as a question" },
    language: {
      type: "string",
      minLength: 2,
      maxLength: 35,
      description: "Language of the summary, as en or pt-BR. Default: the text's own",
    },
    mode: {
      type: "string",
      enum: [...SUMMARY_MODES],
      description:
        "model: in new words. extractive: the first sentences of the text. Default: auto, model where possible",
    },
  },
  // One of text and artifactId; providers refuse the keywords that would say so.
  minProperties: 1,
  additionalProperties: false,
} as const satisfies BuiltinTool["parameters"];

/** The types were checked against the tool's parameters before. */
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

/** The configuration of an agent's entry, or what is wrong with it. */
export function parseSummarizerConfig(config: JsonObject) {
  return summarizerConfigSchema.safeParse(config);
}
