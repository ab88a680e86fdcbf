import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { ReadDocument } from "../port.ts";
import { cleanText, invisibleWarnings } from "./clean-text.ts";

/** Maximum length of a text whose syntax is checked. Parsing needs many times as much memory as the text. */
const MAX_CHECKED_CHARACTERS = 1_048_576;

/** Reads JSON or JSON Lines and returns the text as it was written, with a warning if it is invalid. */
export function readJson(raw: string): ReadDocument {
  const { text, invisible } = cleanText(raw);
  const warnings = [...invisibleWarnings(invisible)];
  if (text.length <= MAX_CHECKED_CHARACTERS && parseJsonOrUndefined(text) === undefined && !isLinesOfJson(text)) {
    warnings.push({
      code: "INVALID_JSON",
      message: "the document is labelled as JSON but is not valid JSON, so it is returned as text",
    });
    return { format: "text", text, links: [], warnings };
  }
  return { format: "json", text, links: [], warnings };
}

function isLinesOfJson(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => parseJsonOrUndefined(line) !== undefined);
}
