import { isObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import type { TemplateToken } from "./template-text.ts";
import { argumentOf, renderText, type TemplateValues, VERBATIM } from "./template-values.ts";

/** A JSON value with placeholders, taken apart. Substitution is by structure: a value never becomes syntax. */
export type ValueTemplate =
  | { readonly literal: JsonValue }
  /** The value is the argument, whatever its type. */
  | { readonly parameter: string }
  | { readonly tokens: readonly TemplateToken[] }
  | { readonly items: readonly ValueTemplate[] }
  | { readonly members: readonly (readonly [name: string, value: ValueTemplate])[] };

/** Arguments that are handed on. */
export type ArgumentTemplates = readonly (readonly [name: string, value: ValueTemplate])[];

/**
 * Fills in the placeholders.
 *
 * @returns undefined for a whole value that the call leaves out: the member or item that it stands for is left out, too.
 * @throws RenderError for a text that can't be made of the arguments; and what the budget throws.
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

/** Takes what a value weighs at least, in JSON or in a form, from the budget. @returns the value. */
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
    // Whatever has members weighs what they do.
    if (members.length === 0) budget.spend(1);
    for (const member of members) pending.push(member);
  }
  return value;
}

/** The members of an object, those left out whose whole value the call leaves out. */
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
