import { createVisibleTextPatterns, type VisibleTextPatterns } from "./visible-text-patterns.ts";

/**
 * A text of any lines, such as a model's reply, with everything written as `\uXXXX` that a reader could not see, or that
 * would make it look like another one. Line breaks, tabs and blanks stay. JSON stays JSON of the same value, and what was
 * shown once stays as it is.
 *
 * Invisible are control and format characters (among them those that turn the direction of writing, and those without a
 * width), fillers and empty glyphs, variation selectors, tags, private characters and halves of a pair. Three kinds stay,
 * because each changes what is seen: the joiners and selectors of a known emoji, a non-joiner that parts two joining
 * Arabic letters, and a joiner or non-joiner beside the virama of an Indic script. A letter keeps at most 5 combining
 * marks; more of them, one that repeats the mark before it, and one without a letter are escaped.
 */
export function toVisibleText(text: string): string {
  patterns ??= createVisibleTextPatterns();
  return patterns.mayHide.test(text) ? text.replace(patterns.inText, show) : text;
}

/**
 * The same for a text that takes one line, such as a name in a list: a line break shows as `\n`, a tab as `\t`, and so
 * does every blank as `\uXXXX` that is no single space between two characters. Two texts that differ in what can't be seen
 * alone never look alike. JSON without indentation stays JSON of the same value.
 */
export function toVisibleLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  patterns ??= createVisibleTextPatterns();
  return text.replace(patterns.inLine, show);
}

/**
 * Takes out what `toVisibleText` would escape; lines, tabs and blanks stay.
 *
 * @param onRemoved - called with the characters of each place.
 */
export function removeInvisible(text: string, onRemoved: (characters: string) => void): string {
  patterns ??= createVisibleTextPatterns();
  if (!patterns.mayHide.test(text)) return text;
  const rest = text.replace(patterns.inText, (found: string, kept: string | undefined) => {
    if (kept === undefined) onRemoved(found);
    return kept ?? "";
  });
  // What stood apart may now hide as neighbours.
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
