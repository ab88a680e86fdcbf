import { isObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import type { TemplateToken } from "./template-text.ts";
import { argumentOf, renderText, type TemplateValues, VERBATIM } from "./template-values.ts";

/** A parsed JSON value with placeholders. The substitution is structural: a value never becomes syntax. */
export type ValueTemplate =
  | { readonly literal: JsonValue }
  /** The value is the argument itself, of any type. */
  | { readonly parameter: string }
  | { readonly tokens: readonly TemplateToken[] }
  | { readonly items: readonly ValueTemplate[] }
  | { readonly members: readonly (readonly [name: string, value: ValueTemplate])[] };

/** Templates of the arguments for another tool or a built-in tool. */
export type ArgumentTemplates = readonly (readonly [name: string, value: ValueTemplate])[];

/**
 * Fills in the placeholders. Errors from the budget are passed on.
 *
 * @returns undefined if the template is one placeholder whose parameter the call omits: the member or item is then
 *   omitted too.
 * @throws RenderError for arguments that can't be converted to text.
 */
export function renderValue(template: ValueTemplate, values: TemplateValues): JsonValue | undefined {
  if ("literal" in template) return spendValue(template.literal, values);
  if ("parameter" in template) return spendValue(argumentOf(values, template.parameter), values);
  if ("tokens" in template) return renderText(template.tokens, values, VERBATIM);
  if ("items" in template) {
    return template.items.map((item) => renderValue(item, values)).filter((item) => item !== undefined);
  }
  return renderMembers(template.members, values);
}

/**
 * Deducts from the budget the minimum size of a value when it is encoded as JSON or as a form field.
 * @returns the value.
 */
function spendValue(value: JsonValue | undefined, { budget }: TemplateValues): JsonValue | undefined {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isObject(next)) {
      budget.spend(typeof next === "string" ? Math.max(1, next.length) : 1);
      continue;
    }
    const names = Array.isArray(next) ? [] : Object.keys(next);
    for (const name of names) budget.spend(name.length);
    const members = Object.values(next);
    // An object or list is at least as large as its members together.
    if (members.length === 0) budget.spend(1);
    for (const member of members) pending.push(member);
  }
  return value;
}

/** Renders the members of an object. Leaves out a member whose entire value is a parameter that the call omits. */
export function renderMembers(
  members: readonly (readonly [name: string, value: ValueTemplate])[],
  values: TemplateValues,
): { [name: string]: JsonValue } {
  const rendered: [string, JsonValue][] = [];
  for (const [name, member] of members) {
    values.budget.spend(name.length);
    const value = renderValue(member, values);
    if (value !== undefined) rendered.push([name, value]);
  }
  return Object.fromEntries(rendered);
}
