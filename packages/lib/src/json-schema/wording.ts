import { isJsonObject, isObject } from "../json/json-object.ts";
import { shortText, typeName, withArticle } from "./violation-text.ts";
import type { Visit } from "./visit.ts";

const MAX_LIST_CHARACTERS = 200;

/** Returns a value for use in a sentence: the value itself if it is short, otherwise its type. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return shortText(JSON.stringify(value));
  if (isObject(value)) return withArticle(typeName(value));
  return String(value);
}

/** Returns a phrase about the invalid value for the end of a sentence; empty if messages must not quote values. */
export function notThis({ run, value }: Visit): string {
  return run.quotesValues ? `, not ${shownValue(value)}` : "";
}

/** Joins values into a list, shortened so that it can't fill a message. */
export function shownList(values: readonly unknown[]): string {
  let joined = "";
  for (const [index, value] of values.entries()) {
    const text = isJsonObject(value) || Array.isArray(value) ? shortText(JSON.stringify(value)) : shownValue(value);
    if (joined.length + text.length > MAX_LIST_CHARACTERS) return `${joined} and ${values.length - index} more`;
    joined += index === 0 ? text : `, ${text}`;
  }
  return joined;
}

/** Returns a count with its noun, such as `1 item` or `2 items`. */
export function counted(number: unknown, noun: string): string {
  const plural = noun === "property" ? "properties" : `${noun}s`;
  return `${String(number)} ${number === 1 ? noun : plural}`;
}
