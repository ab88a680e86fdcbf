import { contentOf, parseContent } from "@yagate/lib/artifacts/content";
import { JsonPathError } from "@yagate/lib/artifacts/json-path/json-path-error";
import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { type Selection, selectValues } from "@yagate/lib/artifacts/json-path/select-values";
import { outlineOf } from "@yagate/lib/artifacts/outline";
import type { Artifact } from "@yagate/lib/artifacts/port";
import { pieceOf, type TextPiece } from "@yagate/lib/artifacts/text-piece";
import type { JsonValue } from "@yagate/protocol";
import type { BuiltinOutcome } from "../builtin-tool.ts";

export const DEFAULT_PIECE_CHARACTERS = 8_000;
export const MAX_PIECE_CHARACTERS = 20_000;
/**
 * Maximum size of a part as JSON. JSON is longer than the text that it encodes. The limit ensures that the part never
 * becomes an artifact itself.
 */
const MAX_JSON_CHARACTERS = 30_000;
const OUTLINE_CHARACTERS = 2_000;

/** The part that the model requests. */
export interface Reading {
  readonly artifactId: string;
  readonly path?: string;
  readonly offset?: number;
  readonly length?: number;
}

/**
 * Reads part of an artifact: a range of its text, the values that a path selects, or a range of the text of these
 * values.
 */
export function readPart(artifact: Artifact, reading: Reading): BuiltinOutcome {
  const { path, offset = 0, length = DEFAULT_PIECE_CHARACTERS } = reading;
  const { id: artifactId, readable } = artifact;
  const { mediaType, text } = readable;
  if (path === undefined) return { result: { artifactId, mediaType, ...rangeOf(text, offset, length) } };
  if (mediaType !== "application/json")
    return wrongPath("this artifact is plain text; paths work on JSON only", TO_OFFSET);
  try {
    const root = parseContent(readable);
    const selection = selectValues(parseJsonPath(path), root);
    return { result: { artifactId, path, ...partOf(selection, root, reading, length) } };
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return wrongPath(error.message, "paths consist of names, indexes, slices, * and .., as in $.items[0:10].name");
  }
}

const TO_OFFSET = "leave path out and read by offset and length";

function wrongPath(message: string, hint: string): BuiltinOutcome {
  return { error: { code: "INVALID_ARGUMENTS", message: `path: ${message}`, hint } };
}

function partOf({ values, isComplete }: Selection, root: JsonValue, { offset }: Reading, length: number) {
  const [only] = values;
  if (only === undefined) {
    return { count: 0, values: [], note: "the path selects nothing", outline: outlineOf(root, OUTLINE_CHARACTERS) };
  }
  const count = values.length;
  const left = isComplete
    ? {}
    : { isComplete, note: "only the first values are shown: use a narrower path for the others" };
  const all = JSON.stringify(values);
  if (offset === undefined && all.length <= length) return { count, values, ...left };
  const text = count === 1 ? contentOf(only).text : all;
  const range = rangeOf(text, offset ?? 0, length);
  if (offset !== undefined) return { count, ...left, ...range };
  const outline = outlineOf(count === 1 ? only : [...values], OUTLINE_CHARACTERS);
  const note =
    "too large to show in one piece: use a narrower path ($ in the outline is this path), or continue by offset";
  return { count, ...left, note, outline, ...range };
}

function rangeOf(text: string, offset: number, length: number) {
  const { text: read, ...place } = fittingPiece(text, offset, length);
  return { ...place, totalCharacters: text.length, text: read };
}

function fittingPiece(text: string, offset: number, length: number): TextPiece {
  const piece = pieceOf(text, offset, length);
  const jsonCharacters = JSON.stringify(piece.text).length;
  if (jsonCharacters <= MAX_JSON_CHARACTERS) return piece;
  return fittingPiece(text, offset, Math.floor((piece.text.length * MAX_JSON_CHARACTERS) / jsonCharacters) - 1);
}
