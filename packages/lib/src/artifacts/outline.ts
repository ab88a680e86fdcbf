import type { JsonValue } from "@yagate/protocol";
import { isObject } from "../json/json-object.ts";
import { pieceOf } from "./text-piece.ts";

const MAX_KEYS_SHOWN = 30;
const MAX_DEPTH = 8;
const SAMPLED_ELEMENTS = 100;
const MAX_SAMPLE_CHARACTERS = 40;
/** Maximum length of a key in the outline, in characters. A longer key could fill the outline on its own. */
const MAX_KEY_CHARACTERS = 80;

const SHORTHAND = /^[A-Za-z_][0-9A-Za-z_]*$/;

/**
 * Describes the structure of a value, with one line per location, outer locations first: the path, the type, and the
 * size or the start of the value. Only the first element of an array is described.
 *
 * @param maxCharacters - maximum length of the outline. If it would be longer, its last line says that the outline is
 *   cut off.
 */
export function outlineOf(root: JsonValue, maxCharacters: number): string {
  const lines: string[] = [];
  let left = maxCharacters - MORE_PLACES.length;
  let places: readonly Place[] = [{ path: "$", value: root }];
  for (let depth = 0; depth <= MAX_DEPTH && places.length > 0; depth += 1) {
    const below: Place[] = [];
    for (const place of places) {
      const line = `${place.path}: ${describe(place.value)}`;
      left -= line.length + 1;
      if (left < 0) return [...lines, MORE_PLACES].join("\n");
      lines.push(line);
      // Each location takes one line, so at most as many locations as characters that are left need to be visited.
      if (below.length < left) below.push(...childrenOf(place));
    }
    places = below;
  }
  return lines.join("\n");
}

/**
 * Checks whether a JSON path can select useful parts of a value: the value must be an array, or contain more than a
 * single string or number.
 */
export function isStructured(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  if (Array.isArray(value)) return true;
  return Object.values(value).some((member) => isObject(member) && Object.keys(member).length > 0);
}

const MORE_PLACES = "… and more";

interface Place {
  readonly path: string;
  readonly value: JsonValue;
}

function childrenOf({ path, value }: Place): readonly Place[] {
  if (!isObject(value)) return [];
  if (Array.isArray(value)) return value.slice(0, 1).map((element) => ({ path: `${path}[0]`, value: element }));
  return keysOf(value).flatMap((key) => {
    const child = value[key];
    if (child === undefined || key.length > MAX_KEY_CHARACTERS) return [];
    return [{ path: `${path}${SHORTHAND.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}`, value: child }];
  });
}

function keysOf(value: object): readonly string[] {
  const keys: string[] = [];
  for (const key in value) {
    if (keys.length === MAX_KEYS_SHOWN) break;
    keys.push(key);
  }
  return keys;
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) {
    const types = [...new Set(value.slice(0, SAMPLED_ELEMENTS).map(typeOf))];
    return `array of ${value.length}${types.length === 0 ? "" : `: ${types.join(", ")}`}`;
  }
  if (isObject(value)) {
    const count = Object.keys(value).length;
    return `object of ${count}${count > MAX_KEYS_SHOWN ? `, of which the first ${MAX_KEYS_SHOWN} are listed` : ""}`;
  }
  if (value === null) return "null";
  if (typeof value !== "string") return `${typeof value} ${value}`;
  if (value.length <= MAX_SAMPLE_CHARACTERS) return `string ${JSON.stringify(value)}`;
  return `string of ${value.length}, ${JSON.stringify(pieceOf(value, 0, MAX_SAMPLE_CHARACTERS).text)}…`;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
