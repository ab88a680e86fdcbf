import { shortText, withArticle } from "@yagate/lib/json-schema/violation-text";
import type { ValueType } from "./schema-facets.ts";

/** Listed values that a message names; of longer lists it says how many more there are. */
const MAX_LISTED = 10;

/** Types as they read in a sentence: `a string`, `a number or null`. */
export function typesText(types: ReadonlySet<ValueType>): string {
  if (types.size === 7) return "any value";
  const isNumber = types.has("integer") && types.has("fraction");
  const words = [...types].flatMap((type) => {
    if (type === "fraction") return isNumber ? [] : ["a number that is not whole"];
    return [withArticle(type === "integer" && isNumber ? "number" : type)];
  });
  const last = words.at(-1) ?? "nothing";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

/** Values as they read in a sentence, from their JSON. */
export function listedText(values: ReadonlySet<string>): string {
  const texts = [...values].map(shortText);
  const more = texts.length - MAX_LISTED;
  const named = texts.slice(0, MAX_LISTED).join(", ");
  if (texts.length === 1) return named;
  return `one of ${named}${more > 0 ? ` and ${more} more` : ""}`;
}
