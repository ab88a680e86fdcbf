import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import type { ComposedToolCode, ComposedToolWarningCode } from "./composed-tool-code.ts";
import { parseTemplateText, type TemplateToken } from "./template-text.ts";
import type { ValueTemplate } from "./value-template.ts";

/** A finding about the arguments in a tool's template. */
export type TemplateProblem = {
  readonly path: string;
  readonly message: string;
} & (
  | { readonly severity: "error"; readonly code: ComposedToolCode }
  | { readonly severity: "warning"; readonly code: ComposedToolWarningCode }
);

/** The parameters of the tool whose template is parsed. */
export interface TemplateScope {
  readonly parameters: ReadonlySet<string>;
  /** The parameters that are present in every call. */
  readonly required: ReadonlySet<string>;
}

/** Returns the parameter names that a schema declares. */
export function scopeOf(schema: Readonly<Record<string, unknown>>): TemplateScope {
  const { properties, required } = schema;
  return {
    parameters: new Set(isJsonObject(properties) ? Object.keys(properties) : []),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []),
  };
}

/** A secret, with the path at which a template uses it. */
export interface SecretUse {
  readonly name: string;
  readonly path: string;
}

/** Parses a tool's arguments as templates and collects all findings. */
export interface TemplateReader {
  readonly problems: readonly TemplateProblem[];
  readonly secretUses: readonly SecretUse[];
  /** Names of the parameters that the templates use. */
  readonly read: ReadonlySet<string>;
  refuse(path: string, code: ComposedToolCode, message: string): void;
  warn(path: string, code: ComposedToolWarningCode, message: string): void;
  /**
   * Parses a string with placeholders.
   * @returns undefined for an invalid template, which adds a finding.
   */
  text(template: string, path: string): readonly TemplateToken[] | undefined;
  value(value: JsonValue, path: string): ValueTemplate;
  members(
    object: { readonly [name: string]: JsonValue },
    path: string,
  ): readonly (readonly [name: string, value: ValueTemplate])[];
  /**
   * Parses a name, which can't contain placeholders.
   * @returns undefined for an invalid name, which adds a finding.
   */
  name(text: string, path: string): string | undefined;
}

export function createTemplateReader(scope: TemplateScope): TemplateReader {
  const problems: TemplateProblem[] = [];
  const secretUses: SecretUse[] = [];
  const read = new Set<string>();
  const refuse = (path: string, code: ComposedToolCode, message: string) =>
    void problems.push({ severity: "error", path, code, message });
  const warn = (path: string, code: ComposedToolWarningCode, message: string) =>
    void problems.push({ severity: "warning", path, code, message });

  function note(token: TemplateToken, path: string): void {
    if ("secret" in token) secretUses.push({ name: token.secret, path });
    if (!("parameter" in token)) return;
    read.add(token.parameter);
    if (scope.parameters.has(token.parameter)) return;
    refuse(path, "UNKNOWN_PLACEHOLDER", `expected names of the tool's parameters, not ${token.parameter}`);
  }

  function parse(template: string, path: string): readonly TemplateToken[] | undefined {
    const tokens = parseTemplateText(template);
    if (tokens === undefined) refuse(path, "BAD_PLACEHOLDER", BAD_PLACEHOLDER);
    for (const token of tokens ?? []) note(token, path);
    return tokens;
  }

  /** Warns about optional parameters, because part of a string can't be omitted. */
  function warnOfOptional(tokens: readonly TemplateToken[], path: string): void {
    for (const token of tokens) {
      if (!("parameter" in token)) continue;
      const { parameter } = token;
      if (!scope.parameters.has(parameter) || scope.required.has(parameter)) continue;
      const message = `${parameter} is optional, but part of a string: a call without it will be rejected`;
      warn(path, "OPTIONAL_PARAMETER", message);
    }
  }

  /** Warns about optional parameters in a list, because omitting an item moves the items after it. */
  function warnOfOptionalItems(items: readonly ValueTemplate[], path: string): void {
    for (const [index, item] of items.entries()) {
      if (!("parameter" in item)) continue;
      const { parameter } = item;
      if (!scope.parameters.has(parameter) || scope.required.has(parameter)) continue;
      const effect = index === items.length - 1 ? "the list is one item shorter" : "the later items move up by one";
      const message =
        `${parameter} is optional: a call without it omits this item, and ${effect}; require ${parameter}, or ` +
        "use one parameter for the entire list";
      warn(`${path}[${index}]`, "OPTIONAL_ITEM", message);
    }
  }

  function readText(template: string, path: string): readonly TemplateToken[] | undefined {
    const tokens = parse(template, path);
    if (tokens !== undefined) warnOfOptional(tokens, path);
    return tokens;
  }

  function readString(template: string, path: string): ValueTemplate {
    const tokens = parse(template, path) ?? [];
    const [first, ...others] = tokens;
    if (first === undefined) return { literal: "" };
    if (others.length === 0 && "text" in first) return { literal: first.text };
    if (others.length === 0 && "parameter" in first) return first;
    warnOfOptional(tokens, path);
    return { tokens };
  }

  function readValue(value: JsonValue, path: string): ValueTemplate {
    if (typeof value === "string") return readString(value, path);
    if (Array.isArray(value)) {
      const items = value.map((item, index) => readValue(item, `${path}[${index}]`));
      warnOfOptionalItems(items, path);
      return simplified({ items });
    }
    return isJsonObject(value) ? simplified({ members: readMembers(value, path) }) : { literal: value };
  }

  function readMembers(
    object: { readonly [name: string]: JsonValue },
    path: string,
  ): readonly (readonly [name: string, value: ValueTemplate])[] {
    return Object.entries(object).flatMap(([key, member]) => {
      const at = `${path}.${key}`;
      const value = readValue(member, at);
      const name = readName(key, at);
      return name === undefined ? [] : [[name, value] as const];
    });
  }

  function readName(text: string, path: string): string | undefined {
    const tokens = parseTemplateText(text);
    if (tokens === undefined || tokens.some((token) => !("text" in token))) {
      refuse(path, "PLACEHOLDER_IN_KEY", PLACEHOLDER_IN_KEY);
      return undefined;
    }
    const name = tokens.map((token) => ("text" in token ? token.text : "")).join("");
    if (!FORBIDDEN_KEYS.has(name)) return name;
    refuse(path, "FORBIDDEN_KEY", "expected a name other than __proto__, constructor and prototype");
    return undefined;
  }

  return {
    ...{ problems, secretUses, read, refuse, warn },
    text: readText,
    value: readValue,
    members: readMembers,
    name: readName,
  };
}

/** Converts a template without placeholders to a literal. */
function simplified(template: Extract<ValueTemplate, { items: unknown } | { members: unknown }>): ValueTemplate {
  if ("items" in template) {
    const items = template.items.flatMap((item) => ("literal" in item ? [item.literal] : []));
    return items.length === template.items.length ? { literal: items } : template;
  }
  const members = template.members.flatMap(([name, value]) =>
    "literal" in value ? [[name, value.literal] as const] : [],
  );
  return members.length === template.members.length ? { literal: Object.fromEntries(members) } : template;
}

const BAD_PLACEHOLDER =
  "expected ${parameter} or ${secrets.KEY} with one name and nothing else in the braces; write $${ for a literal ${";
const PLACEHOLDER_IN_KEY = "expected a fixed name: placeholders are allowed only in values; write $${ for a literal ${";
