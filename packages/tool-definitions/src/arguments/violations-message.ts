import { cutText } from "@yagate/lib/text/cut-text";
import type { Violation } from "./violations.ts";

const MAX_CHARACTERS = 2_000;
const MAX_PART_CHARACTERS = 400;

/**
 * One sentence for the model that names each place and what was expected there; at most 2 000 characters.
 *
 * @param total - of all that is wrong, which may be more than is listed.
 */
export function violationsMessage(violations: readonly Violation[], total = violations.length): string {
  const parts = violations.map(({ path, message }) => cut(`${path === "" ? "the arguments" : path} ${message}`));
  let message = "the arguments do not fit the tool's parameters: ";
  for (const [index, part] of parts.entries()) {
    const separator = index === 0 ? "" : "; ";
    const rest = `${separator}and ${total - index} more`;
    if (message.length + separator.length + part.length + rest.length > MAX_CHARACTERS) return message + rest;
    message += separator + part;
  }
  return total > parts.length ? `${message}; and ${total - parts.length} more` : message;
}

function cut(text: string): string {
  return cutText(text, MAX_PART_CHARACTERS);
}
