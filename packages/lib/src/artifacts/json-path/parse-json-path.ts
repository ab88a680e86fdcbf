import { defined } from "../../objects/defined.ts";
import type { JsonPath, Segment, Selector } from "./json-path.ts";
import { JsonPathError } from "./json-path-error.ts";
import { PathScanner } from "./path-scanner.ts";

/** Maximum length of a path, in characters. */
export const MAX_PATH_CHARACTERS = 2_000;
/** Maximum number of segments in a path, and of selectors in one segment. */
const MAX_PARTS = 64;

/**
 * Parses a path as defined in RFC 9535: names, indexes, slices, wildcards and descendants. A filter (`?`) is an error.
 *
 * @throws JsonPathError with what was expected and where.
 */
export function parseJsonPath(text: string): JsonPath {
  if (text.length > MAX_PATH_CHARACTERS) {
    throw new JsonPathError(`expected a path of at most ${MAX_PATH_CHARACTERS} characters`, MAX_PATH_CHARACTERS);
  }
  const scanner = new PathScanner(text);
  if (!scanner.take("$")) return scanner.fail("a path that starts with $, as in $.items[0].name,");
  const segments: Segment[] = [];
  while (!scanner.isAtEnd) {
    if (segments.length === MAX_PARTS) return scanner.fail(`at most ${MAX_PARTS} steps`);
    scanner.skipBlanks();
    segments.push(segment(scanner));
  }
  return { segments };
}

function segment(scanner: PathScanner): Segment {
  if (scanner.take("[")) return { isDescendant: false, selectors: bracketed(scanner) };
  const isDescendant = scanner.take("..");
  if (isDescendant && scanner.take("[")) return { isDescendant, selectors: bracketed(scanner) };
  if (!isDescendant && !scanner.take(".")) return scanner.fail(". or [");
  if (scanner.take("*")) return { isDescendant, selectors: [{ type: "wildcard" }] };
  const name = scanner.memberName();
  if (name === undefined) return scanner.fail("a name or * (other names as ['the name'])");
  return { isDescendant, selectors: [{ type: "name", name }] };
}

function bracketed(scanner: PathScanner): readonly Selector[] {
  const selectors: Selector[] = [];
  do {
    if (selectors.length === MAX_PARTS) return scanner.fail(`at most ${MAX_PARTS} choices in one step`);
    scanner.skipBlanks();
    selectors.push(selector(scanner));
    scanner.skipBlanks();
  } while (scanner.take(","));
  return scanner.take("]") ? selectors : scanner.fail(", or ]");
}

function selector(scanner: PathScanner): Selector {
  if (scanner.next === "?") return scanner.fail("no filter (nothing in a path is evaluated)");
  if (scanner.take("*")) return { type: "wildcard" };
  const name = scanner.quotedName();
  if (name !== undefined) return { type: "name", name };
  const first = scanner.integer();
  const afterFirst = scanner.position;
  scanner.skipBlanks();
  if (scanner.take(":")) return slice(scanner, first);
  if (first === undefined) return scanner.fail("a quoted name, an index, a slice or *");
  scanner.position = afterFirst;
  return { type: "index", index: first };
}

function slice(scanner: PathScanner, start: number | undefined): Selector {
  scanner.skipBlanks();
  const end = scanner.integer();
  scanner.skipBlanks();
  const hasStep = scanner.take(":");
  if (hasStep) scanner.skipBlanks();
  const step = (hasStep ? scanner.integer() : undefined) ?? 1;
  return { type: "slice", step, ...defined({ start, end }) };
}
