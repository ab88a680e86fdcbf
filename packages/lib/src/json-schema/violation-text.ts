import { cutText } from "../text/cut-text.ts";
/** Returns the JSON Schema name of a value's type. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Adds the article to the name of a type, or to several names joined by "or", for use in a sentence. */
export function withArticle(types: string): string {
  if (types === "null") return types;
  return /^[aeiou]/.test(types) ? `an ${types}` : `a ${types}`;
}

/** Shortens a name or pattern from the input so that it can't fill a message. */
export function shortText(text: unknown): string {
  const whole = String(text);
  return cutText(whole, 80);
}
