import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import { cutTokens, splitTokens } from "./split-tokens.ts";
import type { TemplateReader } from "./template-reader.ts";
import type { TemplateToken } from "./template-text.ts";
import { argumentOf, renderText, scalarText, type TemplateValues, writeText } from "./template-values.ts";
import { IN_QUERY, IN_URL } from "./url-encoding.ts";
import type { ValueTemplate } from "./value-template.ts";

/** A name and value in the query of the author's URL. */
export interface QueryPair {
  /** The name in encoded form. */
  readonly name: string;
  /** The value; undefined for a name without an equals sign. */
  readonly value: readonly TemplateToken[] | undefined;
}

/** A query parameter in the argument `query`, with its name and value. */
export type QueryParameter = readonly [name: string, value: ValueTemplate];

export function parseQuery(
  tokens: readonly TemplateToken[] | undefined,
  path: string,
  reader: TemplateReader,
): readonly QueryPair[] {
  if (tokens === undefined || tokens.length === 0) return [];
  return splitTokens(tokens, "&").flatMap((pair) => {
    const { before, after: value } = cutTokens(pair, "=");
    if (before.some((token) => !("text" in token))) {
      const message = "expected fixed names in the query: placeholders are allowed only after an equals sign";
      reader.refuse(path, "PLACEHOLDER_IN_KEY", message);
      return [];
    }
    const name = before.map((token) => ("text" in token ? token.text : "")).join("");
    return name === "" && value === undefined ? [] : [{ name, value }];
  });
}

/** Parses the argument `query`: an object of strings, numbers, booleans and lists of them. */
export function parseQueryParameters(
  value: JsonValue | undefined,
  path: string,
  reader: TemplateReader,
): readonly QueryParameter[] {
  if (value === undefined) return [];
  if (!isJsonObject(value)) {
    reader.refuse(path, "INVALID_ARG", "expected an object with names and values");
    return [];
  }
  const isScalar = (item: JsonValue) => typeof item !== "object";
  for (const [name, item] of Object.entries(value)) {
    if (Array.isArray(item) ? item.every(isScalar) : isScalar(item)) continue;
    reader.refuse(`${path}.${name}`, "NOT_A_SCALAR", "expected a string, number, boolean or a list of them");
  }
  return reader.members(value, path);
}

/**
 * Renders the query. Errors from the budget are passed on.
 * @returns the query without its question mark; empty if the call omits all of it.
 * @throws RenderError.
 */
export function renderQuery(
  pairs: readonly QueryPair[],
  parameters: readonly QueryParameter[],
  values: TemplateValues,
): string {
  return [
    ...pairs.flatMap((pair) => renderPair(pair, values)),
    ...parameters.flatMap((parameter) => renderParameter(parameter, values)),
  ].join("&");
}

function renderPair({ name, value }: QueryPair, values: TemplateValues): readonly string[] {
  if (value === undefined) return [writeName(name, values)];
  const [first, ...others] = value;
  if (first === undefined || others.length > 0 || !("parameter" in first)) {
    return [`${writeName(name, values)}=${renderText(value, values, IN_URL)}`];
  }
  return repeated(argumentOf(values, first.parameter), { name, source: first.parameter }, values);
}

function renderParameter([name, value]: QueryParameter, values: TemplateValues): readonly string[] {
  const encodedName = IN_QUERY.text(name);
  if ("tokens" in value) {
    return [`${writeName(encodedName, values)}=${renderText(value.tokens, values, IN_QUERY)}`];
  }
  if ("items" in value) return value.items.flatMap((item) => renderParameter([name, item], values));
  const source = "parameter" in value ? value.parameter : name;
  const given = "literal" in value ? value.literal : "parameter" in value ? argumentOf(values, source) : undefined;
  return repeated(given, { name: encodedName, source }, values);
}

/** Renders a parameter. For a list, the name is repeated for each item. */
function repeated(
  value: JsonValue | undefined,
  { name, source }: { readonly name: string; readonly source: string },
  values: TemplateValues,
): readonly string[] {
  if (value === undefined) return [];
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    const text = scalarText(item, source);
    return `${writeName(name, values)}=${writeText(text, IN_QUERY.argument, values)}`;
  });
}

/** Returns the name. The budget is charged for the name and the equals sign. */
function writeName(name: string, { budget }: TemplateValues): string {
  budget.spend(name.length + 1);
  return name;
}
