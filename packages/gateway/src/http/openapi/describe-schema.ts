import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { leafExample } from "./examples.ts";
import type { Components, Json } from "./json-schema.ts";
import { AGENT_TEXTS } from "./reference/agent-texts.ts";
import { EVENT_TEXTS } from "./reference/event-texts.ts";
import { EXECUTION_TEXTS } from "./reference/execution-texts.ts";
import { SCHEMA_TEXTS } from "./reference/schema-texts.ts";
import type { PropertyText, PropertyTexts } from "./reference/text.ts";
import { TOOL_CALL_TEXTS } from "./reference/tool-call-texts.ts";
import { TOOL_TEXTS } from "./reference/tool-texts.ts";
import { WHOLE_EXAMPLES } from "./reference/whole-examples.ts";
import { WORKSPACE_TEXTS } from "./reference/workspace-texts.ts";

const PROPERTY_TEXTS: PropertyTexts = {
  ...WORKSPACE_TEXTS,
  ...TOOL_TEXTS,
  ...TOOL_CALL_TEXTS,
  ...EVENT_TEXTS,
  ...EXECUTION_TEXTS,
  ...AGENT_TEXTS,
};

/** Puts a text and an example beside every property of the named schemas. */
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

/** The schema with a text and an example beside each of its properties; `path` is where it stands. */
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

/** Also for parameters, which are properties of a request. What a schema says of itself counts first. */
export function describeProperty(schema: Json, path: string, texts: PropertyTexts = PROPERTY_TEXTS): Json {
  const found = textOf(path, texts);
  const text = typeof found === "string" ? found : found?.text;
  const own = schema["description"];
  // An id says its prefix itself, which the example shows too.
  const saysMore = typeof own === "string" && !own.startsWith("id with the prefix ");
  const description = saysMore ? own : (text ?? own);
  const isChosen = typeof found === "object" && !("const" in schema);
  const example = isChosen ? found.example : leafExample(schema);
  const described = describeSchema(schema, path, texts);
  if (description !== undefined) described["description"] = description;
  if (example !== undefined && described["examples"] === undefined) described["examples"] = [example];
  return described;
}

/** The text of the longest end of a path that has one. */
function textOf(path: string, texts: PropertyTexts): PropertyText | undefined {
  for (let end = path; ; end = end.slice(end.indexOf(".") + 1)) {
    // A list is described with its items: `tools[].name`, and by the name alone where that says enough.
    const text = Object.hasOwn(texts, end) ? texts[end] : undefined;
    if (text !== undefined) return text;
    if (!end.includes(".")) return undefined;
  }
}

export function isJson(value: unknown): value is Json {
  return isJsonObject(value);
}
