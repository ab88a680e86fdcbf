import { isJsonObject } from "@yagate/lib/json/json-object";
import type { Components, Json } from "./json-schema.ts";

const EXAMPLE_TIME = "2026-11-21T06:00:00.000Z";
const EXAMPLE_ID = "01m7yj864ke00brb1mkxjenfhm";

/** Derives an example from the schema of a property alone; undefined if the schema is too general. */
export function leafExample(schema: Json): unknown {
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  const members = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(members)) return members.map(leafExample).find((example) => example !== undefined);
  if (schema["format"] === "date-time") return EXAMPLE_TIME;
  const prefix = /^\^([a-z]+_)\[/.exec(String(schema["pattern"]))?.[1];
  if (prefix !== undefined) return prefix + EXAMPLE_ID;
  if (schema["type"] === "boolean") return true;
  if (schema["type"] === "integer" || schema["type"] === "number") return Math.max(1, Number(schema["minimum"] ?? 1));
  if (schema["type"] === "array" && isJsonObject(schema["items"])) {
    const item = leafExample(schema["items"]);
    return item === undefined ? undefined : [item];
  }
  return undefined;
}

/** Builds a complete example of a schema from the examples of its required parts. */
export function exampleOf(schema: unknown, components: Components, depth = 0): unknown {
  if (!isJsonObject(schema) || depth > 16) return null;
  const ref = schema["$ref"];
  if (typeof ref === "string")
    return exampleOf(components[ref.replace("#/components/schemas/", "")], components, depth + 1);
  const { examples } = schema;
  if (Array.isArray(examples)) return examples[0];
  const leaf = leafExample(schema);
  if (leaf !== undefined) return leaf;
  const members = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(members)) return exampleOf(members[0], components, depth + 1);
  if (schema["type"] === "array") return depth > 12 ? [] : [exampleOf(schema["items"], components, depth + 1)];
  const { properties } = schema;
  if (!isJsonObject(properties)) return {};
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const entries = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property, components, depth + 1)]));
}
