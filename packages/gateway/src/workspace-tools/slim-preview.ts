import { isObject } from "@yagate/lib/json/json-object";
import { cutText } from "@yagate/lib/text/cut-text";
import { type JsonValue, MAX_TEST_PREVIEW_BYTES } from "@yagate/protocol";

/** Limits of a preview. The first that yields a small enough preview is used. */
const STEPS = [
  { items: 20, characters: 400, depth: 8 },
  { items: 5, characters: 200, depth: 6 },
  { items: 3, characters: 80, depth: 4 },
  { items: 2, characters: 40, depth: 3 },
] as const;

type Step = (typeof STEPS)[number];

/** Returns a preview of a value, with the same structure if possible; at most 2 KiB of JSON. */
export function slimPreview(value: JsonValue): JsonValue {
  if (fits(value)) return value;
  for (const step of STEPS) {
    const pruned = prune(value, step, 0);
    if (fits(pruned)) return pruned;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // A character occupies at most 6 bytes in JSON.
  return cutText(text, Math.floor(MAX_TEST_PREVIEW_BYTES / 6) - 10).toWellFormed();
}

function fits(value: JsonValue): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_TEST_PREVIEW_BYTES;
}

function prune(value: JsonValue, step: Step, depth: number): JsonValue {
  if (typeof value === "string") {
    return value.length <= step.characters ? value : cutText(value, step.characters + 1).toWellFormed();
  }
  if (!isObject(value)) return value;
  if (depth === step.depth) return "…";
  if (Array.isArray(value)) {
    const shown = value.slice(0, step.items).map((item) => prune(item, step, depth + 1));
    return value.length > step.items ? [...shown, `… ${value.length - step.items} more`] : shown;
  }
  const entries = Object.entries(value);
  const shown = entries.slice(0, step.items * 2).map(([name, each]) => [name, prune(each, step, depth + 1)] as const);
  const left = entries.length - shown.length;
  return Object.fromEntries(left > 0 ? [...shown, ["…", `${left} more`] as const] : shown);
}
