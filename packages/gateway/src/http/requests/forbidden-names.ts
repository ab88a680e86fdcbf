import { isObject } from "@yagate/lib/json/json-object";
import type { FieldError } from "@yagate/protocol";

/** Deeper ones are not looked for: bodies have no such depth. */
const MAX_DEPTH = 256;
const MAX_ERRORS = 100;

/**
 * The places of a parsed body at which a name could reach the prototype of an object: `__proto__`, and `prototype` in a
 * `constructor`.
 */
export function findForbiddenNames(value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(value, "", 1, errors);
  return errors;
}

function visit(value: unknown, path: string, depth: number, errors: FieldError[]): void {
  if (!isObject(value) || depth > MAX_DEPTH) return;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    if (errors.length >= MAX_ERRORS) return;
    const place = isList ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    const isForbidden = name === "__proto__" || (name === "constructor" && hasPrototype(member));
    if (!isList && isForbidden) errors.push({ path: place, code: "FORBIDDEN_KEY", message: "expected another name" });
    else visit(member, place, depth + 1, errors);
  }
}

function hasPrototype(member: unknown): boolean {
  return isObject(member) && Object.hasOwn(member, "prototype");
}
