import { isObject } from "@yagate/lib/json/json-object";
/** Returns a member of a JSON object, or `undefined` if it is missing. */
export function field(value: unknown, name: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

export function textField(value: unknown, name: string): string | undefined {
  const member = field(value, name);
  return typeof member === "string" ? member : undefined;
}

export function listField(value: unknown, name: string): readonly unknown[] {
  const member = field(value, name);
  return Array.isArray(member) ? member : [];
}
