import type { JsonValue, RestParameter } from "@yagate/protocol";
import type { TextBudget } from "../request/text-budget.ts";
import { isStableSegment } from "./path-segment.ts";
import type { RestUrl } from "./rest-url.ts";
import { encodedText, refused } from "./wire-text.ts";

/** A path parameter with its value. */
interface PathValue {
  readonly parameter: RestParameter;
  readonly value: JsonValue;
}

/**
 * Renders the path of one call. Each value stays within one segment, whatever it contains. Errors from the budget are
 * passed on.
 *
 * @param values - values by their names in the path.
 * @param budget - the size that remains for the URL.
 * @throws YagateError `INVALID_ARGUMENTS` for a missing or empty value, or for a segment that a URL parser removes.
 */
export function renderRestPath(
  { segments }: RestUrl,
  values: ReadonlyMap<string, PathValue>,
  budget: TextBudget,
): string {
  return segments
    .map((pieces) => {
      let last = "the path";
      const segment = pieces
        .map((piece) => {
          if ("text" in piece) return piece.text;
          last = values.get(piece.parameter)?.parameter.name ?? piece.parameter;
          const text = encodedValue(values.get(piece.parameter), last);
          budget.spend(text.length);
          return text;
        })
        .join("");
      if (!isStableSegment(segment)) throw refused(last, "must not be . or ..: it is part of the path");
      return segment;
    })
    .join("/");
}

function encodedValue(given: PathValue | undefined, name: string): string {
  const text = given === undefined ? "" : encodedText(given.value, name);
  if (text === "") throw refused(name, "must not be empty: it is part of the path");
  return text;
}
