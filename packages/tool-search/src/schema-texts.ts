import { isJsonObject } from "@yagate/lib/json/json-object";

/** The texts of a JSON Schema. */
export interface SchemaTexts {
  /** The names of the parameters, including those of nested objects. */
  readonly names: readonly string[];
  /** Their descriptions, and the values of their enumerations. */
  readonly texts: readonly string[];
}

const MAX_DEPTH = 8;
/** A description or value is cut to this many characters. */
const MAX_TEXT_CHARACTERS = 2_000;
const SINGLE_SCHEMAS = ["items", "additionalProperties", "contains", "not"] as const;
const SCHEMA_LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const NAMED_SCHEMAS = ["$defs", "definitions"] as const;

/** Collects the texts of the parameters that a JSON Schema describes. */
export function schemaTexts(schema: Readonly<Record<string, unknown>>): SchemaTexts {
  const names: string[] = [];
  const texts: string[] = [];
  const take = (text: unknown) => {
    if (typeof text === "string" || typeof text === "number") texts.push(String(text).slice(0, MAX_TEXT_CHARACTERS));
  };
  const visit = (value: unknown, depth: number) => {
    if (!isJsonObject(value) || depth > MAX_DEPTH) return;
    // The description of the whole schema repeats that of the tool.
    if (depth > 0) take(value["description"]);
    if (Array.isArray(value["enum"])) for (const member of value["enum"]) take(member);
    take(value["const"]);
    if (isJsonObject(value["properties"])) {
      for (const [name, property] of Object.entries(value["properties"])) {
        names.push(name);
        visit(property, depth + 1);
      }
    }
    for (const keyword of SINGLE_SCHEMAS) visit(value[keyword], depth + 1);
    for (const keyword of SCHEMA_LISTS) {
      const list = value[keyword];
      if (Array.isArray(list)) for (const member of list) visit(member, depth + 1);
    }
    for (const keyword of NAMED_SCHEMAS) {
      const named = value[keyword];
      if (isJsonObject(named)) for (const member of Object.values(named)) visit(member, depth + 1);
    }
  };
  visit(schema, 0);
  return { names, texts };
}
