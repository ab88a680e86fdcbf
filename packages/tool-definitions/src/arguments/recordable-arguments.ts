import { listShapeProblems, type ShapeProblem } from "@yagate/lib/json/json-shape";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import type { JsonValue } from "@yagate/protocol";

/** Of a text that should have been arguments, so much is kept. */
const MAX_TEXT_CHARACTERS = 10_000;

const LEFT_OUT: Readonly<Record<ShapeProblem["code"], string | undefined>> = {
  TOO_DEEP: `[left out: nested more than ${VALUE_LIMITS.maxDepth} levels deep]`,
  TOO_LARGE: `[left out: more than ${VALUE_LIMITS.maxCharacters} characters]`,
  NOT_JSON: "[left out: JSON has no word for one of its values]",
  FORBIDDEN_KEY: undefined,
};

/**
 * Refused arguments as the record keeps them and the model reads them again: whole if they are of ordinary shape, or a
 * note or the beginning of the text in their place. What was refused need not be carried around for ever, and whatever
 * serialises it later must not fail on it.
 */
export function recordableArguments(value: JsonValue): JsonValue {
  if (typeof value === "string") return cutText(value);
  const notes = listShapeProblems(value, VALUE_LIMITS).map(({ code }) => LEFT_OUT[code]);
  return notes.find((note) => note !== undefined) ?? value;
}

function cutText(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  const left = text.length - MAX_TEXT_CHARACTERS;
  return `${text.slice(0, MAX_TEXT_CHARACTERS)} [cut: ${left} of ${text.length} characters left out]`;
}
