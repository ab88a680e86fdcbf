import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import type { RequestParts } from "../placeholders/request-template.ts";
import type { TemplateReader } from "../placeholders/template-reader.ts";
import type { TemplateToken } from "../placeholders/template-text.ts";
import type { ArgumentTemplates, ValueTemplate } from "../placeholders/value-template.ts";
import { type Mismatch, mismatchOf } from "./mismatch.ts";
import { facetsOf, type SchemaNode, toSchemaNode } from "./schema-facets.ts";

/**
 * What the arguments of a composed tool are used for: a request, or the arguments of another tool or a built-in tool.
 */
export type ArgumentsTarget =
  | { readonly request: RequestParts }
  | { readonly args: ArgumentTemplates; readonly name: string; readonly parameters: JsonObject };

/** Where the value of a template is used. */
interface Destination {
  /** Path of the template, such as `tools[0].implementation.args.expression`. */
  readonly path: string;
  /** Phrase for a message, such as `expression of calculator`. */
  readonly where: string;
  readonly taken: SchemaNode;
  /** Whether the argument accepts any JSON, so that a value can be rejected only as part of a string. */
  readonly isFree?: boolean;
}

/**
 * Checks the declared types of a tool's parameters against the destinations of their values. A parameter that never
 * matches is an error; one that matches only in some calls is a warning.
 *
 * @param parameters - the schema of the tool's parameters, which is checked elsewhere.
 * @param path - the path of the arguments, such as `tools[0].implementation.args`.
 */
export function checkArgumentTypes(
  target: ArgumentsTarget,
  parameters: JsonObject,
  path: string,
  reader: TemplateReader,
): void {
  const check = createArgumentTypeCheck(parameters, reader);
  if ("request" in target) checkRequest(target.request, path, check);
  else checkHandedOn(target, path, { parameters, reader, check });
}

interface ArgumentTypeCheck {
  /** Checks a value that consists of one placeholder. */
  parameter(name: string, destination: Destination): void;
  /** Checks the placeholders in a longer text. */
  text(tokens: readonly TemplateToken[], place: Pick<Destination, "path" | "isFree">): void;
  value(template: ValueTemplate, destination: Destination): void;
}

function createArgumentTypeCheck(parameters: JsonObject, reader: TemplateReader): ArgumentTypeCheck {
  const { document } = toSchemaNode(parameters);
  const properties = isJsonObject(parameters["properties"]) ? parameters["properties"] : {};

  function parameter(name: string, { path, where, taken, isFree = false }: Destination): void {
    if (!Object.hasOwn(properties, name)) return;
    const mismatch = mismatchOf({ schema: properties[name], document }, taken);
    if (mismatch === undefined) return;
    const place = { parameter: name, where };
    if (mismatch.isCertain) {
      const text = neverFitsText(place, mismatch);
      if (isFree) reader.warn(path, "PARAMETER_TYPE_MISMATCH", text);
      else reader.refuse(path, "PARAMETER_TYPE_MISMATCH", text);
    } else reader.warn(path, "PARAMETER_MAY_NOT_FIT", mayNotFitText(place, mismatch));
  }

  function text(tokens: readonly TemplateToken[], place: Pick<Destination, "path" | "isFree">): void {
    for (const token of tokens) {
      if ("parameter" in token) parameter(token.parameter, { ...place, where: "a longer text", taken: scalar() });
    }
  }

  /** Checks the parts that the author wrote, which are the same in every call. */
  function authored(schema: JsonObject, { path, where, taken }: Destination): void {
    const mismatch = mismatchOf(toSchemaNode(schema), taken);
    if (mismatch?.isCertain !== true) return;
    const { takes, place, is } = mismatch;
    const what = place === "" ? "the value here" : `the value at ${place}`;
    reader.refuse(path, "INVALID_ARG", `expected ${takes} for ${where}; ${what} ${is}`);
  }

  function value(template: ValueTemplate, destination: Destination): void {
    const { path, where, taken, isFree = false } = destination;
    if ("parameter" in template) return parameter(template.parameter, destination);
    if ("literal" in template) return authored({ const: template.literal }, destination);
    if ("tokens" in template) {
      text(template.tokens, destination);
      return authored({ type: "string" }, destination);
    }
    const { items, members } = facetsOf(taken);
    if ("items" in template) {
      authored({ type: "array" }, destination);
      for (const [index, item] of template.items.entries()) {
        const inside = { path: `${path}[${index}]`, where: `each item of ${where}`, isFree };
        value(item, { ...inside, taken: items ?? anything() });
      }
      return;
    }
    authored({ type: "object" }, destination);
    for (const [name, member] of template.members) {
      const inside = members?.properties.get(name) ?? members?.others ?? anything();
      value(member, { path: `${path}.${name}`, where: `${name} in ${where}`, taken: inside, isFree });
    }
  }

  return { parameter, text, value };
}

function checkRequest({ url, headers, query, body }: RequestParts, path: string, check: ArgumentTypeCheck): void {
  for (const segment of url.segments) check.text(segment, { path: `${path}.url` });
  for (const { name, value = [] } of url.query) {
    const [only, ...others] = value;
    const isWhole = only !== undefined && "parameter" in only && others.length === 0;
    if (!isWhole) check.text(value, { path: `${path}.url` });
    else check.parameter(only.parameter, inQuery(name, `${path}.url`));
  }
  for (const [name, value] of headers) {
    if ("literal" in value) continue;
    check.value(value, { path: `${path}.headers.${name}`, where: `the header ${name}`, taken: scalar() });
  }
  for (const [name, value] of query) {
    if ("literal" in value) continue;
    const values = "items" in value ? value.items : [value];
    for (const one of values) check.value(one, inQuery(name, `${path}.query.${name}`));
  }
  if (body === undefined) return;
  const isForm = headers.some(([name, value]) => name === "content-type" && "literal" in value && isFormType(value));
  const taken = isForm ? formBody() : anything();
  check.value(body, { path: `${path}.body`, where: "the body", taken, isFree: !isForm });
}

function inQuery(name: string, path: string): Destination {
  return { path, where: `${name} in the query`, taken: queryValue() };
}

function isFormType({ literal }: { readonly literal: unknown }): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(String(literal));
}

function checkHandedOn(
  { args, name, parameters: schema }: Extract<ArgumentsTarget, { readonly args: unknown }>,
  path: string,
  { parameters, reader, check }: { parameters: JsonObject; reader: TemplateReader; check: ArgumentTypeCheck },
): void {
  const { members } = facetsOf(toSchemaNode(schema));
  const { required } = parameters;
  const isAlways = (parameter: string) => Array.isArray(required) && required.includes(parameter);
  for (const [argument, template] of args) {
    const at = `${path}.${argument}`;
    const taken = members?.properties.get(argument) ?? members?.others ?? anything();
    check.value(template, { path: at, where: `${argument} of ${name}`, taken });
    if (!("parameter" in template) || isAlways(template.parameter)) continue;
    if (members?.required.has(argument) !== true) continue;
    const { parameter } = template;
    const message = `${parameter} is optional, but ${name} requires ${argument}: a call without it will be rejected; require ${parameter}`;
    reader.warn(at, "OPTIONAL_PARAMETER", message);
  }
}

const SCALAR = { type: ["string", "number", "boolean"] };
const SCALARS = { type: ["string", "number", "boolean", "array"], items: SCALAR };

/** Returns a schema for any value. */
function anything(): SchemaNode {
  return toSchemaNode({});
}

/** Returns a schema for values that can be part of a longer text: of a URL, a header, or another string. */
function scalar(): SchemaNode {
  return toSchemaNode(SCALAR);
}

/** Returns a schema for the values of a query parameter. For a list, the name is repeated for each item. */
function queryValue(): SchemaNode {
  return toSchemaNode(SCALARS);
}

/** Returns a schema for the body of a form: fields, or an encoded text. */
function formBody(): SchemaNode {
  return toSchemaNode({ type: ["object", "string"], additionalProperties: SCALARS });
}

/** A parameter with the destination of its value, such as `expression of calculator`. */
interface Place {
  readonly parameter: string;
  readonly where: string;
}

/** Returns the message for a parameter that never matches, with advice for the author. */
function neverFitsText({ parameter, where }: Place, { place, is, takes }: Mismatch): string {
  const named = `${parameter}${place}`;
  const advice =
    takes === "a string" && place === ""
      ? `declare ${parameter} as a string, or make it part of a longer text`
      : `declare ${named} as ${takes}`;
  return `expected ${takes} for ${where}; ${named} ${is}, so every call would be rejected: ${advice}`;
}

/** Returns the message for a parameter that does not match in some calls. */
function mayNotFitText({ parameter, where }: Place, { place, is, takes }: Mismatch): string {
  const named = `${parameter}${place}`;
  return `${named} ${is}, but ${where} takes ${takes}: calls with other values will be rejected; declare ${named} as ${takes}`;
}
