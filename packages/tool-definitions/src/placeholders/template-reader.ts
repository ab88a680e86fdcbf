import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import type { ComposedToolCode, ComposedToolWarningCode } from "./composed-tool-code.ts";
import { parseTemplateText, type TemplateToken } from "./template-text.ts";
import type { ValueTemplate } from "./value-template.ts";

/** Something about a place in a tool's arguments. */
export type TemplateProblem = {
  readonly path: string;
  readonly message: string;
} & (
  | { readonly severity: "error"; readonly code: ComposedToolCode }
  | { readonly severity: "warning"; readonly code: ComposedToolWarningCode }
);

/** The parameters of the tool whose template is read. */
export interface TemplateScope {
  readonly parameters: ReadonlySet<string>;
  /** Those that every call has. */
  readonly required: ReadonlySet<string>;
}

/** The names that a schema of parameters declares. */
export function scopeOf(schema: Readonly<Record<string, unknown>>): TemplateScope {
  const { properties, required } = schema;
  return {
    parameters: new Set(isJsonObject(properties) ? Object.keys(properties) : []),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []),
  };
}

/** A secret and where the template asks for it. */
export interface SecretUse {
  readonly name: string;
  readonly path: string;
}

/** Reads a tool's arguments as a template and gathers whatever is wrong with them, so that all of it is told at once. */
export interface TemplateReader {
  readonly problems: readonly TemplateProblem[];
  readonly secretUses: readonly SecretUse[];
  /** Names of the parameters that were read. */
  readonly read: ReadonlySet<string>;
  refuse(path: string, code: ComposedToolCode, message: string): void;
  warn(path: string, code: ComposedToolWarningCode, message: string): void;
  /** @returns undefined when it is no template; that was noted. */
  text(template: string, path: string): readonly TemplateToken[] | undefined;
  value(value: JsonValue, path: string): ValueTemplate;
  members(
    object: { readonly [name: string]: JsonValue },
    path: string,
  ): readonly (readonly [name: string, value: ValueTemplate])[];
  /** A name, in which nothing can be filled in. @returns undefined when it can't be used; that was noted. */
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

  /** In text there is no leaving out. */
  function warnOfOptional(tokens: readonly TemplateToken[], path: string): void {
    for (const token of tokens) {
      if (!("parameter" in token)) continue;
      const { parameter } = token;
      if (!scope.parameters.has(parameter) || scope.required.has(parameter)) continue;
      const message = `${parameter} is optional, but part of a text: a call without it will be refused`;
      warn(path, "OPTIONAL_PARAMETER", message);
    }
  }

  /** Left out of a list, an item changes the places of those behind it. */
  function warnOfOptionalItems(items: readonly ValueTemplate[], path: string): void {
    for (const [index, item] of items.entries()) {
      if (!("parameter" in item)) continue;
      const { parameter } = item;
      if (!scope.parameters.has(parameter) || scope.required.has(parameter)) continue;
      const effect = index === items.length - 1 ? "the list is one shorter" : "the items behind it move up one place";
      const message =
        `${parameter} is optional: in a call without it this item is left out, and ${effect}; require ${parameter}, or ` +
        "take the whole list as one parameter";
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

/** What has no placeholder inside is kept whole. */
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
  "expected ${parameter} or ${secrets.KEY} with one name and nothing else in the braces; $${ stands for a plain ${";
const PLACEHOLDER_IN_KEY = "expected a fixed name: placeholders stand in values only; $${ stands for a plain ${";
