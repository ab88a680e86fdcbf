import { toRecord } from "../hosted/record.ts";

/** The content of a message or chunk, except its calls. */
export interface ChatWords {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
}

/** Fields in which servers return reasoning. Only the first field that contains text is used. */
const REASONING_FIELDS = ["reasoning_content", "reasoning", "thinking"] as const;

/** Parses the text, reasoning and refusal of a message, each a string or a list of parts. */
export function readWords(said: Readonly<Record<string, unknown>>): ChatWords {
  const parts = contentParts(said["content"]);
  const ofField = REASONING_FIELDS.map((name) => textOf(said[name])).find((text) => text !== "");
  return {
    text: parts.map(({ text }) => text).join(""),
    reasoning: ofField ?? parts.map(({ reasoning }) => reasoning).join(""),
    refusal: textOf(said["refusal"]),
  };
}

/** Joins the content of several messages. */
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

/**
 * Returns the text of a thought. Mistral's models return reasoning as a list of texts, Databricks' models as a summary
 * that contains a list.
 */
function thoughtOf(thought: unknown): string {
  return Array.isArray(thought) ? thought.map((part) => textOf(toRecord(part)?.["text"])).join("") : textOf(thought);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
