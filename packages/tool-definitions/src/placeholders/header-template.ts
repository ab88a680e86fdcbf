import { isForbiddenHeader } from "@yagate/egress/internal";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import { RenderError } from "../request/render-error.ts";
import type { TemplateReader } from "./template-reader.ts";
import { argumentOf, renderText, scalarText, type TemplateValues, VERBATIM, writeText } from "./template-values.ts";
import type { ValueTemplate } from "./value-template.ts";

/** A header with its name in lower case. */
export type HeaderTemplate = readonly [name: string, value: ValueTemplate];

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Matches printable ASCII without leading or trailing white space, which a proxy would drop. */
const VALUE = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;
const CREDENTIAL_NAME = /^(?:authorization|cookie|.*(?:api-?key|token|secret).*)$/;

/** Checks whether a header contains a credential, by its name in lower case. */
export function namesCredential(name: string): boolean {
  return CREDENTIAL_NAME.test(name);
}

/** Parses the argument `headers`: an object of fixed names with strings, numbers and booleans. */
export function parseHeaders(
  value: JsonValue | undefined,
  path: string,
  reader: TemplateReader,
): readonly HeaderTemplate[] {
  if (value === undefined) return [];
  if (!isJsonObject(value)) {
    reader.refuse(path, "INVALID_ARG", "expected an object with names and values");
    return [];
  }
  const seen = new Set<string>();
  const headers: HeaderTemplate[] = [];
  for (const [key, item] of Object.entries(value)) {
    const at = `${path}.${key}`;
    const template = reader.value(item, at);
    const name = reader.name(key, at)?.toLowerCase();
    if (name === undefined) continue;
    checkName(name, seen, at, reader);
    checkValue(name, item, template, at, reader);
    seen.add(name);
    headers.push([name, template]);
  }
  return headers;
}

function checkName(name: string, seen: ReadonlySet<string>, at: string, reader: TemplateReader): void {
  if (!NAME.test(name)) {
    reader.refuse(at, "INVALID_HEADER_NAME", "expected a name of letters, digits and !#$%&'*+-.^_`|~");
  } else if (isForbiddenHeader(name) || name === "accept-encoding") {
    reader.refuse(at, "FORBIDDEN_HEADER", `expected no header ${name}: the gateway sets it`);
  } else if (seen.has(name)) {
    reader.refuse(at, "INVALID_HEADER_NAME", `expected each header once; ${name} occurs twice`);
  }
}

function checkValue(name: string, value: JsonValue, template: ValueTemplate, at: string, reader: TemplateReader): void {
  if (typeof value === "object") {
    reader.refuse(at, "NOT_A_SCALAR", "expected a string, number or boolean");
    return;
  }
  const texts = "literal" in template ? [String(template.literal)] : fixedTexts(template);
  if (!texts.every((text) => VALUE.test("literal" in template ? text : `x${text}x`))) {
    reader.refuse(at, "INVALID_HEADER_VALUE", `expected ${HEADER_VALUE}`);
  }
  if ("literal" in template && namesCredential(name)) {
    const message =
      "everyone who can read the agent can read this value: store it as a secret and write ${secrets.NAME}";
    reader.warn(at, "PLAIN_CREDENTIAL", message);
  }
}

function fixedTexts(template: ValueTemplate): readonly string[] {
  return "tokens" in template ? template.tokens.flatMap((token) => ("text" in token ? [token.text] : [])) : [];
}

const HEADER_VALUE = "printable ASCII without leading or trailing spaces";

/**
 * Renders headers. Errors from the budget are passed on.
 * @throws RenderError `INVALID_HEADER_VALUE`, `NOT_A_SCALAR`.
 */
export function renderHeaders(headers: readonly HeaderTemplate[], values: TemplateValues): Record<string, string> {
  const rendered: [string, string][] = [];
  for (const [name, template] of headers) {
    values.budget.spend(name.length);
    const value = renderHeader(template, values);
    if (value === undefined) continue;
    if (!VALUE.test(value)) {
      throw new RenderError("INVALID_HEADER_VALUE", `${describe(name, template)} must be ${HEADER_VALUE}`);
    }
    rendered.push([name, value]);
  }
  return Object.fromEntries(rendered);
}

function renderHeader(template: ValueTemplate, values: TemplateValues): string | undefined {
  if ("tokens" in template) return renderText(template.tokens, values, VERBATIM);
  if ("literal" in template) return writeText(String(template.literal), VERBATIM.text, values);
  if (!("parameter" in template)) return undefined;
  const value = argumentOf(values, template.parameter);
  if (value === undefined) return undefined;
  return writeText(scalarText(value, template.parameter), VERBATIM.argument, values);
}

/**
 * Returns what the model can correct: the parameters in the header's value, or the header if its value contains none.
 */
function describe(name: string, template: ValueTemplate): string {
  const tokens = "tokens" in template ? template.tokens : "parameter" in template ? [template] : [];
  const names = tokens.flatMap((token) => ("parameter" in token ? [token.parameter] : []));
  return names.length === 0 ? `the header ${name}` : `${names.join(" and ")} in the header ${name}`;
}
