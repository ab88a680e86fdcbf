import type { JsonObject } from "@yagate/lib/json/json-object";
import { isObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import { removeInvisible } from "@yagate/protocol";
import type { RemovedCharacters } from "./openapi-import.ts";

const MAX_CODE_POINTS = 20;
/** Maximum number of reported paths with removed characters. */
export const MAX_PLACES = 200;

/**
 * Removes invisible characters from the strings and names in a document, so that the person who reviews the drafts
 * reads the same text as the model. If names become equal, the first one is kept.
 *
 * @returns the document, and the first {@link MAX_PLACES} paths at which characters were removed.
 */
export function cleanDocument(document: JsonObject): {
  readonly document: JsonObject;
  readonly removed: readonly RemovedCharacters[];
} {
  const removed: RemovedCharacters[] = [];
  // YAML aliases can refer to one object several times; it stays one object.
  const known = new Map<object, unknown>();

  function cleanText(text: string, path: string): string {
    const codePoints = new Set<string>();
    let count = 0;
    const clean = removeInvisible(text.replaceAll("\r\n", "\n"), (characters) => {
      for (const character of characters) {
        count += 1;
        if (codePoints.size < MAX_CODE_POINTS) codePoints.add(nameOf(character));
      }
    });
    if (count > 0 && removed.length < MAX_PLACES) removed.push({ path, codePoints: [...codePoints], count });
    return clean;
  }

  function cleanObject(value: object, path: string): JsonObject {
    const clean: Record<string, unknown> = {};
    known.set(value, clean);
    for (const [key, member] of Object.entries(value)) {
      const name = cleanText(key, path);
      // Defined instead of assigned, because a document may contain a member named `__proto__`.
      if (Object.hasOwn(clean, name)) continue;
      const field = { value: cleanValue(member, appendPointer(path, name)) };
      Object.defineProperty(clean, name, { ...field, enumerable: true, writable: true, configurable: true });
    }
    return clean;
  }

  function cleanValue(value: unknown, path: string): unknown {
    if (typeof value === "string") return cleanText(value, path);
    if (!isObject(value)) return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    if (!Array.isArray(value)) return cleanObject(value, path);
    const list: unknown[] = [];
    known.set(value, list);
    for (const [index, item] of value.entries()) list.push(cleanValue(item, `${path}/${index}`));
    return list;
  }

  return { document: cleanObject(document, ""), removed };
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
