import { isJsonObject } from "@yagate/lib/json/json-object";
import { normaliseSchema } from "@yagate/lib/json-schema/normalise-schema";
import { defined } from "@yagate/lib/objects/defined";
import { type JsonObject, type JsonValue, toVisibleLine } from "@yagate/protocol";

/** Texts that models read come first, schemas last. */
const FIRST = ["description", "usageNotes", "sideEffect", "risk"];
const LAST = ["parameters", "outputSchema"];
/** The fields that the heading shows, and those that people in the workspace set. */
const KNOWN: ReadonlySet<string> = new Set(["name", "sideEffect", "handler", "signingSecret", "mcp"]);

/** Returns a definition with the members of an OpenAPI operation, which are in `rest`, beside the others. */
export function flatDefinition({ rest, ...others }: JsonObject): JsonObject {
  return isJsonObject(rest) ? { ...rest, ...others } : { ...defined({ rest }), ...others };
}

/**
 * Formats a complete definition, for a comparison line by line. Members have a fixed order, so that only differences
 * that mean something are visible.
 */
export function definitionLines(complete: JsonObject): readonly string[] {
  const { name: _name, ...definition } = flatDefinition(complete);
  const others = Object.keys(definition)
    .filter((key) => !FIRST.includes(key) && !LAST.includes(key))
    .toSorted();
  const lines = [...FIRST, ...others, ...LAST].flatMap((key) => {
    const value = definition[key];
    return value === undefined ? [] : memberLines(key, LAST.includes(key) ? normalised(value) : value);
  });
  return lines.map(visible);
}

function memberLines(key: string, value: JsonValue): readonly string[] {
  if (typeof value === "string") {
    const [first = "", ...more] = value.split("\n");
    return more.length === 0 ? [`${key}: ${first}`] : [`${key}:`, ...[first, ...more].map((line) => `  ${line}`)];
  }
  const [first = "", ...more] = JSON.stringify(sorted(value), null, 2).split("\n");
  return [`${key}: ${first}`, ...more];
}

/**
 * Formats what a model reads about a new tool, indented by two columns: the description, the notes and the parameters,
 * and below them the call options. Only the side effect and the settings of the source are left out.
 *
 * @param definition - as in the list of changes.
 */
export function reviewLines(definition: JsonObject): readonly string[] {
  const { description, usageNotes, parameters, outputSchema, ...others } = flatDefinition(definition);
  const options = Object.entries(others).filter(([key]) => !KNOWN.has(key));
  const rest = options.map(([key, value]) => `${key}: ${inline(value)}`);
  return [
    ...(typeof description === "string" ? textLines(description) : []),
    ...(typeof usageNotes === "string" ? ["notes:", ...textLines(usageNotes).map((line) => `  ${line}`)] : []),
    ...(Array.isArray(parameters) ? listLines(parameters) : schemaLines("parameters", parameters)),
    ...(outputSchema === undefined ? [] : schemaLines("output", outputSchema)),
    ...(rest.length === 0 ? [] : [`options: ${toVisibleLine(rest.join(", "))}`]),
  ].map((line) => `  ${line}`);
}

/** Formats the parameters of a request, which are a list, with one line per parameter. */
function listLines(parameters: readonly JsonValue[]): readonly string[] {
  const lines = parameters.map((parameter) => {
    if (!isJsonObject(parameter)) return inline(parameter);
    const { name, required, ...rest } = parameter;
    return propertyText(inline(name ?? ""), rest, required === true ? [name ?? ""] : []);
  });
  return lines.length === 0
    ? ["parameters: none"]
    : ["parameters:", ...lines.map((line) => `  ${toVisibleLine(line)}`)];
}

/** Formats a schema with one line per property. Keywords that do not fit into these lines are shown as JSON. */
function schemaLines(heading: string, schema: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { type, properties, required, $schema: _dialect, additionalProperties, ...rest } = schema;
  if (type !== "object" || (properties !== undefined && !isJsonObject(properties))) {
    return [`${heading}: ${toVisibleLine(inline(schema))}`];
  }
  const names = Array.isArray(required) ? required : [];
  const entries = Object.entries(properties ?? {});
  const missing = names.filter((name) => !entries.some(([known]) => known === name));
  const others = {
    ...rest,
    ...(additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties }),
    ...(missing.length === 0 ? {} : { required: missing }),
  };
  const lines = entries.map(([name, property]) => `  ${toVisibleLine(propertyText(name, property, names))}`);
  const more = Object.entries(others).map(([key, value]) => `  ${toVisibleLine(`(${key}: ${inline(value)})`)}`);
  return lines.length + more.length === 0 ? [`${heading}: none`] : [`${heading}:`, ...lines, ...more];
}

function propertyText(name: string, property: JsonValue, required: readonly JsonValue[]): string {
  const necessity = required.includes(name) ? "required" : "optional";
  if (!isJsonObject(property)) return `${name} (${inline(property)}, ${necessity})`;
  const { type, description, ...rest } = property;
  const keywords = Object.entries(rest).map(([key, value]) => `${key}: ${inline(value)}`);
  const traits = [...(type === undefined ? [] : [inline(type)]), ...keywords, necessity].join(", ");
  return `${name} (${traits})${description === undefined ? "" : `: ${inline(description)}`}`;
}

function inline(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textLines(text: string): readonly string[] {
  return text.split("\n").map(visible);
}

/** Makes a line visible, with its indentation as it is. */
function visible(line: string): string {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length);
  return /^ *$/.test(indent) ? indent + toVisibleLine(text) : toVisibleLine(line);
}

/** Drops the differences of schemas that mean nothing. The parameters of a request are a list with one schema each. */
function normalised(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return normaliseSchema(value);
  if (!Array.isArray(value)) return value;
  return value.map((parameter) => {
    if (!isJsonObject(parameter) || !isJsonObject(parameter["schema"])) return parameter;
    return { ...parameter, schema: normaliseSchema(parameter["schema"]) };
  });
}

/** Returns a value with sorted keys. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
