import { toRecord } from "../hosted/record.ts";

/** The content of a message, or of a piece, besides its calls. */
export interface ChatWords {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
}

/** Fields in which servers put reasoning; the first with text counts. */
const REASONING_FIELDS = ["reasoning_content", "reasoning", "thinking"] as const;

/** Parses text, reasoning and refusal of a message, as a string or as a list of parts. */
export function readWords(said: Readonly<Record<string, unknown>>): ChatWords {
  const parts = contentParts(said["content"]);
  const ofField = REASONING_FIELDS.map((name) => textOf(said[name])).find((text) => text !== "");
  return {
    text: parts.map(({ text }) => text).join(""),
    reasoning: ofField ?? parts.map(({ reasoning }) => reasoning).join(""),
    refusal: textOf(said["refusal"]),
  };
}

/** Merges several messages. */
export function wordsTogether(words: readonly ChatWords[]): ChatWords {
  const joined = (name: keyof ChatWords) => words.map((said) => said[name]).join("");
  return { text: joined("text"), reasoning: joined("reasoning"), refusal: joined("refusal") };
}

function contentParts(content: unknown): readonly { readonly text: string; readonly reasoning: string }[] {
  return (Array.isArray(content) ? content : [content]).map((part) => {
    const fields = toRecord(part);
    if (fields === undefined) return { text: textOf(part), reasoning: "" };
    const thought = fields["thinking"] ?? fields["reasoning"] ?? fields["summary"];
    return { text: thought === undefined ? textOf(fields["text"]) : "", reasoning: thoughtOf(thought) };
  });
}

/** Mistral's models return reasoning as a list of texts, those of Databricks as a summary with a list. */
function thoughtOf(thought: unknown): string {
  return Array.isArray(thought) ? thought.map((part) => textOf(toRecord(part)?.["text"])).join("") : textOf(thought);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
