import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import type { JsonObject } from "@yagate/lib/json/json-object";
import { DRAFT_URIS, type Draft } from "@yagate/lib/json-schema/reading/drafts";
import type { InferenceResult, JsonWarning } from "../json-validation.ts";
import { addValue, mergedMembers, newShape, type Shape } from "./shape.ts";

/** The order in which a schema lists types. */
const TYPES = ["object", "array", "string", "integer", "number", "boolean", "null"];
/** An object with more different names than this is treated as a map, whose names are data. */
const MAX_NAMES = 100;
/** Values nested deeper than this may be anything, so that the schema stays within the validator's limits. */
const MAX_LEVELS = 12;

/** Options for {@link inferSchema}. */
export interface InferenceOptions {
  readonly draft: Draft;
  /** Whether strings that occur repeatedly become an `enum`. Strings with a format never do. */
  readonly detectEnums: boolean;
}

/**
 * Infers a schema that all values match. It states what the values have in common: types, required properties and
 * string formats.
 *
 * @param samples - at least one value.
 */
export function inferSchema(samples: readonly unknown[], { draft, detectEnums }: InferenceOptions): InferenceResult {
  const shape = newShape();
  for (const sample of samples) addValue(shape, sample);
  const warnings = new Map<string, JsonWarning>();
  const warn = (code: string, message: string) => void warnings.set(code, { code, message });
  const schema = new Writer(detectEnums, warn).write(shape, 0);
  const uri = draft === "2019-09" || draft === "2020-12" ? DRAFT_URIS[draft] : `${DRAFT_URIS[draft]}#`;
  return { schema: { $schema: uri, ...schema }, sampleCount: samples.length, warnings: [...warnings.values()] };
}

class Writer {
  readonly #detectEnums: boolean;
  readonly #warn: (code: string, message: string) => void;

  constructor(detectEnums: boolean, warn: (code: string, message: string) => void) {
    this.#detectEnums = detectEnums;
    this.#warn = warn;
  }

  write(shape: Shape, level: number): JsonObject {
    const types = typesOf(shape);
    // An empty array says nothing about its items.
    if (types.length === 0) return {};
    const schema: Record<string, unknown> = { type: types.length === 1 ? types[0] : types };
    const isTooDeep = level >= MAX_LEVELS && (types.includes("object") || types.includes("array"));
    if (isTooDeep) {
      this.#warn("TOO_DEEP", `values nested more than ${MAX_LEVELS} levels deep are not described`);
      return schema;
    }
    const format = formatOf(shape);
    if (format !== undefined) schema["format"] = format;
    // Strings such as times and addresses rarely form a closed set.
    if (this.#detectEnums && format === undefined && isChoice(shape))
      schema["enum"] = [...(shape.scalars?.values() ?? [])];
    if (shape.items !== undefined && shape.items.count > 0) schema["items"] = this.write(shape.items, level + 1);
    return types.includes("object") ? { ...schema, ...this.#members(shape, level) } : schema;
  }

  #members(shape: Shape, level: number): JsonObject {
    if (shape.members.size > MAX_NAMES) {
      this.#warn(
        "map",
        `objects with more than ${MAX_NAMES} different names are described as maps, because their names are data`,
      );
      return { additionalProperties: this.write(mergedMembers(shape), level + 1) };
    }
    const names = [...shape.members].filter(([name]) => !FORBIDDEN_KEYS.has(name));
    if (names.length < shape.members.size) {
      this.#warn("FORBIDDEN_KEY", "properties named __proto__, constructor or prototype are not described");
    }
    if (names.length === 0) return {};
    const properties = Object.fromEntries(names.map(([name, member]) => [name, this.write(member, level + 1)]));
    const required = names.filter(([, { count }]) => count === shape.objects).map(([name]) => name);
    // In draft 04, this list must not be empty.
    return required.length === 0 ? { properties } : { properties, required };
  }
}

function typesOf({ types }: Shape): readonly string[] {
  return TYPES.filter((type) => types.has(type) && !(type === "integer" && types.has("number")));
}

function formatOf({ formats }: Shape): string | undefined {
  return formats?.[0];
}

/** Returns whether all values are scalars and at least one of them occurs twice. */
function isChoice({ scalars, count, types }: Shape): boolean {
  return scalars !== undefined && types.has("string") && scalars.size > 0 && scalars.size < count;
}
