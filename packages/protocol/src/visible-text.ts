import { createVisibleTextPatterns, type VisibleTextPatterns } from "./visible-text-patterns.ts";

/**
 * Escapes as `\uXXXX` everything in a text, such as a model's reply, that is invisible or imitates other characters.
 * The text may have any number of lines. Line breaks, tabs and spaces are kept. JSON stays JSON with the same value,
 * and applying the function twice changes nothing.
 *
 * Invisible characters are control and format characters (including those without a width and those that change the
 * direction of writing), fillers and empty glyphs, variation selectors, tags, private-use characters and lone
 * surrogates. Three kinds are kept, because each changes what is visible: the joiners and selectors of a known emoji, a
 * non-joiner between two joining Arabic letters, and a joiner or non-joiner next to the virama of an Indic script. A
 * letter keeps at most 5 combining marks; further marks, repeated marks, and marks without a letter are escaped.
 */
export function toVisibleText(text: string): string {
  patterns ??= createVisibleTextPatterns();
  return patterns.mayHide.test(text) ? text.replace(patterns.inText, show) : text;
}

/**
 * Does the same as {@link toVisibleText} for a single line, such as a name in a list, and also escapes line breaks as
 * `\n`, tabs as `\t`, and all spaces as `\uXXXX`, except a single space between two characters. Texts that differ only
 * in invisible characters never look alike. JSON without indentation stays JSON with the same value.
 */
export function toVisibleLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  patterns ??= createVisibleTextPatterns();
  return text.replace(patterns.inLine, show);
}

/**
 * Removes everything that `toVisibleText` would escape. Line breaks, tabs and spaces are kept.
 *
 * @param onRemoved - called with the characters of each match that is removed. Default: no call.
 */
export function removeInvisible(text: string, onRemoved?: (characters: string) => void): string {
  patterns ??= createVisibleTextPatterns();
  if (!patterns.mayHide.test(text)) return text;
  const rest = text.replace(patterns.inText, (found: string, kept: string | undefined) => {
    if (kept === undefined) onRemoved?.(found);
    return kept ?? "";
  });
  // Characters that have become adjacent may form a new match.
  return rest === text ? text : removeInvisible(rest, onRemoved);
}

let patterns: VisibleTextPatterns | undefined;
const PLAIN_LINE = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t" };

function show(found: string, kept: string | undefined): string {
  if (kept !== undefined) return kept;
  return Array.from({ length: found.length }, (_, index) => escapeUnit(found.charAt(index))).join("");
}

function escapeUnit(unit: string): string {
  return SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
