import type { Violation } from "./violations.ts";

const MAX_CHARACTERS = 2_000;
const MAX_PART_CHARACTERS = 400;

/** One sentence for the model that names each place and what was expected there; at most 2 000 characters. */
export function violationsMessage(violations: readonly Violation[]): string {
  let message = "the arguments do not fit the tool's parameters: ";
  for (const [index, { path, message: expected }] of violations.entries()) {
    const part = cut(`${path === "" ? "the arguments" : path} ${expected}`);
    const rest = `; and ${violations.length - index} more`;
    if (message.length + part.length + rest.length + 2 > MAX_CHARACTERS) return message + rest.slice(2);
    message += index === 0 ? part : `; ${part}`;
  }
  return message;
}

function cut(text: string): string {
  return text.length > MAX_PART_CHARACTERS ? `${text.slice(0, MAX_PART_CHARACTERS - 1)}…` : text;
}
