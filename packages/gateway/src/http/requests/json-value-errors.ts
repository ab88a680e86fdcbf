import { isObject } from "@yagate/lib/json/json-object";
import type { FieldError } from "@yagate/protocol";

/**
 * Maximum nesting depth that later code can safely recurse into: JSON.stringify overflows the stack at about 5,000
 * levels.
 */
const MAX_DEPTH = 256;
/** Maximum number of reported errors. The errors of one body usually have a common cause. */
const MAX_ERRORS = 100;

/**
 * Finds values from JSON.parse that JSON.stringify would not reproduce: strings with a lone surrogate, numbers beyond
 * the range of a double (parsed as Infinity, written as null), and nesting deeper than 256 levels.
 */
export function findValueErrors(value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(value, "", 1, errors);
  return errors;
}

function visit(value: unknown, path: string, depth: number, errors: FieldError[]): void {
  if (errors.length >= MAX_ERRORS) return;
  if (typeof value === "string") {
    if (!value.isWellFormed()) errors.push({ path, code: "NOT_UNICODE", message: "expected valid Unicode text" });
    return;
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) {
      errors.push({ path, code: "OUT_OF_RANGE", message: "expected a number in the range of a 64-bit float" });
    }
    return;
  }
  if (!isObject(value)) return;
  if (depth > MAX_DEPTH) {
    errors.push({ path: "", code: "TOO_DEEP", message: `expected at most ${MAX_DEPTH} levels of nesting` });
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`, depth + 1, errors);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed()) {
      errors.push({ path, code: "NOT_UNICODE", message: "expected field names in valid Unicode" });
      continue;
    }
    visit(member, path === "" ? name : `${path}.${name}`, depth + 1, errors);
  }
}

/**
 * Finds the names in a parsed body that could modify an object's prototype: `__proto__`, and `prototype` inside
 * `constructor`.
 */
export function findForbiddenNames(value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  visitNames(value, "", 1, errors);
  return errors;
}

function visitNames(value: unknown, path: string, depth: number, errors: FieldError[]): void {
  if (!isObject(value) || depth > MAX_DEPTH) return;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    if (errors.length >= MAX_ERRORS) return;
    const place = isList ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    const isForbidden = name === "__proto__" || (name === "constructor" && hasPrototype(member));
    if (!isList && isForbidden) errors.push({ path: place, code: "FORBIDDEN_KEY", message: "expected another name" });
    else visitNames(member, place, depth + 1, errors);
  }
}

function hasPrototype(member: unknown): boolean {
  return isObject(member) && Object.hasOwn(member, "prototype");
}
