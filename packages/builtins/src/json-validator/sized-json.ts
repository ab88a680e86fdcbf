import { listShapeProblems } from "@yagate/lib/json/json-shape";
import { YagateError } from "@yagate/protocol";
import type { GivenJson, JsonWarning } from "./json-validation.ts";
import { readJson } from "./syntax/read-json.ts";

/** Limits on JSON text. */
interface Size {
  readonly maxCharacters: number;
  /** Maximum nesting of objects and arrays. */
  readonly maxDepth: number;
}

/**
 * Parses a schema or a sample, which must be JSON.
 *
 * @param name - how messages refer to it.
 * @throws YagateError `INVALID_ARGUMENTS` if the text is not JSON or exceeds a limit.
 */
export function sizedJson(
  given: GivenJson,
  name: string,
  size: Size,
): { readonly value: unknown; readonly warnings: readonly JsonWarning[] } {
  if ("text" in given) {
    if (given.text.length > size.maxCharacters) throw tooLarge(name, size);
    const read = readJson(given.text);
    if ("syntaxError" in read) throw invalid(`${name} must be JSON: ${read.syntaxError.message}`);
    if (read.depth > size.maxDepth) throw tooDeep(name, size);
    return { value: read.value, warnings: read.warnings };
  }
  for (const { code } of listShapeProblems(given.value, size)) {
    if (code === "TOO_DEEP") throw tooDeep(name, size);
    if (code === "TOO_LARGE") throw tooLarge(name, size);
  }
  return { value: given.value, warnings: [] };
}

function tooLarge(name: string, { maxCharacters }: Size): YagateError {
  return invalid(`${name} must have at most ${maxCharacters} characters: send a smaller part`);
}

function tooDeep(name: string, { maxDepth }: Size): YagateError {
  return invalid(`${name} must have at most ${maxDepth} levels of nesting`);
}

function invalid(message: string): YagateError {
  return new YagateError("INVALID_ARGUMENTS", message);
}
