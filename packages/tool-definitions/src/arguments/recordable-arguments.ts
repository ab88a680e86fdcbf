import { listShapeProblems, type ShapeProblem } from "@yagate/lib/json/json-shape";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import type { JsonValue } from "@yagate/protocol";

/** Maximum number of characters that are kept if the arguments are not JSON. */
const MAX_TEXT_CHARACTERS = 10_000;

const OMISSION_NOTES: Readonly<Record<ShapeProblem["code"], string | undefined>> = {
  TOO_DEEP: `[left out: nested more than ${VALUE_LIMITS.maxDepth} levels deep]`,
  TOO_LARGE: `[left out: more than ${VALUE_LIMITS.maxCharacters} characters]`,
  NOT_JSON: "[left out: one of its values is not JSON]",
  FORBIDDEN_KEY: undefined,
};

/**
 * Returns rejected arguments for the record and the model: unchanged if their shape is within the limits, otherwise a
 * note or the beginning of the text. The result can always be serialised.
 */
export function recordableArguments(value: JsonValue): JsonValue {
  if (typeof value === "string") return cutText(value);
  const notes = listShapeProblems(value, VALUE_LIMITS).map(({ code }) => OMISSION_NOTES[code]);
  return notes.find((note) => note !== undefined) ?? value;
}

function cutText(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  const left = text.length - MAX_TEXT_CHARACTERS;
  return `${text.slice(0, MAX_TEXT_CHARACTERS)} [cut: ${left} of ${text.length} characters left out]`;
}
