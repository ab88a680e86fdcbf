import { AGENT_TEXTS } from "@yagate/api-texts/agent-texts";
import { EVENT_TEXTS } from "@yagate/api-texts/event-texts";
import { EXECUTION_TEXTS } from "@yagate/api-texts/execution-texts";
import { INPUT_REQUEST_TEXTS } from "@yagate/api-texts/input-request-texts";
import { METRIC_TEXTS } from "@yagate/api-texts/metric-texts";
import { ROUTING_TEXTS } from "@yagate/api-texts/routing-texts";
import { SCHEMA_TEXTS } from "@yagate/api-texts/schema-texts";
import type { PropertyText, PropertyTexts } from "@yagate/api-texts/text";
import { TOOL_CALL_TEXTS } from "@yagate/api-texts/tool-call-texts";
import { TOOL_SOURCE_TEXTS } from "@yagate/api-texts/tool-source-texts";
import { TOOL_TEXTS } from "@yagate/api-texts/tool-texts";
import { WHOLE_EXAMPLES } from "@yagate/api-texts/whole-examples";
import { WORKSPACE_TEXTS } from "@yagate/api-texts/workspace-texts";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { leafExample } from "./examples.ts";
import type { Components, Json } from "./json-schema.ts";

const PROPERTY_TEXTS: PropertyTexts = {
  ...WORKSPACE_TEXTS,
  ...TOOL_TEXTS,
  ...TOOL_SOURCE_TEXTS,
  ...TOOL_CALL_TEXTS,
  ...INPUT_REQUEST_TEXTS,
  ...EVENT_TEXTS,
  ...EXECUTION_TEXTS,
  ...AGENT_TEXTS,
  ...METRIC_TEXTS,
  ...ROUTING_TEXTS,
};

/** Adds a description and an example to every property of the named schemas. */
export function describeComponents(components: Components): void {
  for (const [name, schema] of Object.entries(components)) {
    const description = schema["description"] ?? SCHEMA_TEXTS[name];
    const described = describeSchema(schema, name, PROPERTY_TEXTS);
    const example = WHOLE_EXAMPLES[name];
    components[name] = {
      ...defined({ description }),
      ...described,
      ...(example === undefined ? {} : { examples: [example] }),
    };
  }
}

/**
 * Returns the schema with a description and an example for each property. `path` is the schema's path in the document.
 */
export function describeSchema(schema: Json, path: string, texts: PropertyTexts = PROPERTY_TEXTS): Json {
  const described: Json = { ...schema };
  if (isJson(schema["properties"])) {
    const entries = Object.entries(schema["properties"]).map(([name, property]) => [
      name,
      isJson(property) ? describeProperty(property, `${path}.${name}`, texts) : property,
    ]);
    described["properties"] = Object.fromEntries(entries);
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const members = schema[key];
    if (Array.isArray(members)) {
      described[key] = members.map((member: unknown) =>
        isJson(member) ? describeSchema(member, path, texts) : member,
      );
    }
  }
  for (const [key, mark] of [
    ["items", "[]"],
    ["additionalProperties", "{}"],
  ] as const) {
    const part = schema[key];
    if (isJson(part)) described[key] = describeSchema(part, path + mark, texts);
  }
  return described;
}

/**
 * Returns the schema of a property or parameter with a description and an example. A description in the schema itself
 * takes precedence.
 */
export function describeProperty(schema: Json, path: string, texts: PropertyTexts = PROPERTY_TEXTS): Json {
  const found = textOf(path, texts);
  const text = typeof found === "string" ? found : found?.text;
  const own = schema["description"];
  // The generated description of an id contains only the prefix, which is also visible in the example.
  const saysMore = typeof own === "string" && !own.startsWith("id with the prefix ");
  const description = saysMore ? own : (text ?? own);
  const isChosen = typeof found === "object" && !("const" in schema);
  const example = isChosen ? found.example : leafExample(schema);
  const described = describeSchema(schema, path, texts);
  if (description !== undefined) described["description"] = description;
  if (example !== undefined && described["examples"] === undefined) described["examples"] = [example];
  return described;
}

/** Returns the text for the longest suffix of the path that has one; undefined if no suffix has a text. */
function textOf(path: string, texts: PropertyTexts): PropertyText | undefined {
  for (let end = path; ; end = end.slice(end.indexOf(".") + 1)) {
    // The path of a list item's property ends with, for example, `tools[].name`; the text for `name` also matches.
    const text = Object.hasOwn(texts, end) ? texts[end] : undefined;
    if (text !== undefined) return text;
    if (!end.includes(".")) return undefined;
  }
}

export function isJson(value: unknown): value is Json {
  return isJsonObject(value);
}
