import { FORBIDDEN_KEYS } from "./forbidden-keys.ts";
import { isObject } from "./json-object.ts";
import { appendPointer } from "./json-pointer.ts";

/** A reason why a value can't be handled as plain JSON of limited size. */
export interface ShapeProblem {
  /** JSON pointer to the location; empty for the value itself. */
  readonly path: string;
  readonly code: "TOO_DEEP" | "TOO_LARGE" | "NOT_JSON" | "FORBIDDEN_KEY";
}

/** Limits for {@link listShapeProblems}. */
export interface ShapeLimits {
  /** Maximum nesting depth of objects and arrays; the value itself is level 1. */
  readonly maxDepth: number;
  /** Maximum number of characters of the serialised value, not counting escapes. */
  readonly maxCharacters: number;
}

interface Place {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Place | undefined;
  readonly depth: number;
}

/** Maximum number of problems to report, because the problems with one value usually have the same cause. */
const MAX_PROBLEMS = 20;

/**
 * Lists the reasons not to pass a value to code that recurses or copies: its depth, its size, content that is not JSON,
 * or an own member `__proto__`, `constructor` or `prototype`. After any reason other than such a member, the list ends,
 * because the rest of the value is not checked. The function is not recursive, so it can check values of any depth,
 * even with cycles.
 */
export function listShapeProblems(root: unknown, limits: ShapeLimits): readonly ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const pending: Place[] = [{ value: root, key: "", parent: undefined, depth: 1 }];
  let characters = 0;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    characters += ownCharacters(place.value);
    if (characters > limits.maxCharacters) return [...problems, { path: "", code: "TOO_LARGE" }];
    const { value, depth } = place;
    if (!isObject(value)) {
      if (!isJsonScalar(value)) return [...problems, { path: pointerTo(place), code: "NOT_JSON" }];
      continue;
    }
    if (depth > limits.maxDepth) return [...problems, { path: pointerTo(place), code: "TOO_DEEP" }];
    if (Array.isArray(value)) {
      for (let key = value.length - 1; key >= 0; key--) {
        pending.push({ value: value[key], key, parent: place, depth: depth + 1 });
      }
      continue;
    }
    for (const [key, member] of Object.entries(value)) {
      const child = { value: member, key, parent: place, depth: depth + 1 };
      characters += key.length + 3;
      if (!FORBIDDEN_KEYS.has(key)) pending.push(child);
      else if (problems.length < MAX_PROBLEMS) problems.push({ path: pointerTo(child), code: "FORBIDDEN_KEY" });
    }
  }
  return problems;
}

/** Returns how many characters a value contributes to the serialised text, without the values of its members. */
function ownCharacters(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  return Array.isArray(value) ? value.length + 2 : 2;
}

function isJsonScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

function pointerTo(place: Place): string {
  const keys: (string | number)[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) keys.push(at.key);
  return keys.reverse().reduce<string>(appendPointer, "");
}
