import { isObject } from "@yagate/lib/json/json-object";
import { cutText } from "@yagate/lib/text/cut-text";
import type { JsonValue } from "@yagate/protocol";

const MAX_TEXT = 500;
const MAX_ENTRIES = 50;
const MAX_DEPTH = 6;
/** Maximum number of characters in the strings and keys of one value. */
const MAX_CHARACTERS = 16_000;

/** Shortens a value for display: long strings (usually encrypted content or images), long lists and deep nesting. */
export function shorten(value: JsonValue): { readonly value: JsonValue; readonly isShortened: boolean } {
  const budget = { characters: MAX_CHARACTERS, isShortened: false };
  return { value: cut(value, 0, budget), isShortened: budget.isShortened };
}

interface Budget {
  characters: number;
  isShortened: boolean;
}

function cut(value: JsonValue, depth: number, budget: Budget): JsonValue {
  if (typeof value === "string") return cutWithin(value, budget);
  if (!isObject(value)) return value;
  if (depth === MAX_DEPTH) {
    budget.isShortened = true;
    return null;
  }
  if (Array.isArray(value)) return few(value, budget).map((entry) => cut(entry, depth + 1, budget));
  return Object.fromEntries(
    few(Object.entries(value), budget).map(([key, entry]) => [cutWithin(key, budget), cut(entry, depth + 1, budget)]),
  );
}

function few<Entry>(entries: readonly Entry[], budget: Budget): Entry[] {
  if (entries.length > MAX_ENTRIES) budget.isShortened = true;
  return entries.slice(0, MAX_ENTRIES);
}

function cutWithin(text: string, budget: Budget): string {
  const length = Math.max(0, Math.min(MAX_TEXT, budget.characters));
  budget.characters -= Math.min(text.length, length);
  if (text.length <= length) return text;
  budget.isShortened = true;
  return cutText(text, length + 1).toWellFormed();
}
