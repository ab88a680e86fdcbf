import type { ReadDocument } from "../port.ts";
import { cleanText, invisibleWarnings } from "./clean-text.ts";

/** Longer ones are given as they are: what is parsed takes many times its text, and only its form is asked for. */
const MAX_CHECKED_CHARACTERS = 1_048_576;

/** Gives JSON as it was written, and says where it is none. Lines of JSON are read too. */
export function readJson(raw: string): ReadDocument {
  const { text, invisible } = cleanText(raw);
  const warnings = [...invisibleWarnings(invisible)];
  if (text.length <= MAX_CHECKED_CHARACTERS && !isJson(text) && !isLinesOfJson(text)) {
    warnings.push({ code: "INVALID_JSON", message: "it says that it is JSON, and it is not: it is given as text" });
    return { format: "text", text, links: [], warnings };
  }
  return { format: "json", text, links: [], warnings };
}

function isLinesOfJson(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every(isJson);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
