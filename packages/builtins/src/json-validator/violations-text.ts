import { cutText } from "@yagate/lib/text/cut-text";
import { JSON_VALIDATOR_LIMITS } from "./limits.ts";

const MAX_PART_CHARACTERS = 300;

/** Joins errors into one text, which states how many errors it omits. */
export function violationsText(parts: readonly string[], total: number): string {
  let text = "";
  for (const [index, part] of parts.entries()) {
    const separator = index === 0 ? "" : "; ";
    const rest = `${separator}and ${total - index} more`;
    const shown = cut(part, MAX_PART_CHARACTERS);
    const length = text.length + separator.length + shown.length + rest.length;
    if (length > JSON_VALIDATOR_LIMITS.maxMessageCharacters) return text + rest;
    text += separator + shown;
  }
  return total > parts.length ? `${text}; and ${total - parts.length} more` : text;
}

/** Cuts a text to a maximum number of characters. */
export function cut(text: string, maxCharacters: number): string {
  return cutText(text, maxCharacters);
}
