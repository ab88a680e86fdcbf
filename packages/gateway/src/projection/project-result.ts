import type { JsonPath, Selector } from "@yagate/lib/artifacts/json-path/json-path";
import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { isObject } from "@yagate/lib/json/json-object";
import type { JsonObject, JsonValue, Projection } from "@yagate/protocol";

/** The text that replaces a value that the model may not read. */
export const REDACTED = "***";

/** A path, and the number of its segments that have matched so far. */
interface Walk {
  readonly path: JsonPath;
  readonly at: number;
}

/** Applies a projection to a result: redacts the paths in `redact`, and then keeps only those in `keep`. */
export function projectResult(result: JsonValue, { keep, redact }: Projection): JsonValue {
  const redacted = redact === undefined ? result : redactPlaces(result, begin(redact));
  return keep === undefined ? redacted : (keepPlaces(redacted, begin(keep)) ?? null);
}

function begin(paths: readonly string[]): readonly Walk[] {
  return paths.map((path) => ({ path: parseJsonPath(path), at: 0 }));
}

function redactPlaces(value: JsonValue, walks: readonly Walk[]): JsonValue {
  if (isThere(walks)) return REDACTED;
  if (typeof value === "string") return redactText(value, walks);
  if (walks.length === 0 || !isObject(value)) return value;
  if (Array.isArray(value)) {
    return value.map((element, index) => redactPlaces(element, intoElement(walks, index, value.length)));
  }
  return mapMembers(value, (member, name) => redactPlaces(member, intoMember(walks, name)));
}

// Some services put these characters before their JSON, so that it can't run as a script.
const JSON_BEGINNING = /^\s*(?:\)\]\}'[,\s]*)?(?=[[{])/;

/**
 * Redacts a string. A response that is not JSON, or that was cut, is a string that may still contain what must be
 * redacted. If the string looks like JSON, it is parsed and redacted as JSON; if that fails, the complete string is
 * redacted.
 */
function redactText(text: string, walks: readonly Walk[]): string {
  if (walks.length === 0) return text;
  const beginning = JSON_BEGINNING.exec(text)?.[0];
  if (beginning === undefined) return walks.some(isOnItsWay) ? REDACTED : text;
  try {
    const inside: JsonValue = JSON.parse(text.slice(beginning.length));
    return JSON.stringify(redactPlaces(inside, walks));
  } catch {
    return REDACTED;
  }
}

/** Returns whether a path has matched so far and its next segment selects a direct member. */
function isOnItsWay({ path, at }: Walk): boolean {
  return at > 0 && path.segments[at]?.isDescendant === false;
}

/** Returns the part of a value that the paths keep; undefined if they keep nothing. */
function keepPlaces(value: JsonValue, walks: readonly Walk[]): JsonValue | undefined {
  if (isThere(walks)) return value;
  if (walks.length === 0 || !isObject(value)) return undefined;
  if (Array.isArray(value)) {
    const kept = value.flatMap((element, index) => {
      const part = keepPlaces(element, intoElement(walks, index, value.length));
      return part === undefined ? [] : [part];
    });
    return kept.length === 0 ? undefined : kept;
  }
  const kept = mapMembers(value, (member, name) => keepPlaces(member, intoMember(walks, name)));
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function mapMembers(value: JsonObject, change: (member: JsonValue, name: string) => JsonValue | undefined): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]) => {
    const changed = change(member, name);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return Object.fromEntries(members);
}

function isThere(walks: readonly Walk[]): boolean {
  return walks.some(({ path, at }) => at === path.segments.length);
}

function intoMember(walks: readonly Walk[], name: string): readonly Walk[] {
  return into(
    walks,
    (selector) => selector.type === "wildcard" || (selector.type === "name" && selector.name === name),
  );
}

function intoElement(walks: readonly Walk[], index: number, length: number): readonly Walk[] {
  return into(walks, (selector) => selectsElement(selector, index, length));
}

function into(walks: readonly Walk[], selects: (selector: Selector) => boolean): readonly Walk[] {
  const next: Walk[] = [];
  for (const walk of walks) {
    const segment = walk.path.segments[walk.at];
    if (segment === undefined) continue;
    // A path that matches in several ways counts once.
    const isNew = (at: number) => !next.some((other) => other.path === walk.path && other.at === at);
    if (segment.isDescendant && isNew(walk.at)) next.push(walk);
    if (segment.selectors.some(selects) && isNew(walk.at + 1)) next.push({ path: walk.path, at: walk.at + 1 });
  }
  return next;
}

/** Returns whether a selector matches an element. Indexes and slices work as in RFC 9535, section 2.3.4.2.2. */
function selectsElement(selector: Selector, index: number, length: number): boolean {
  switch (selector.type) {
    case "wildcard":
      return true;
    case "name":
      return false;
    case "index":
      return (selector.index < 0 ? selector.index + length : selector.index) === index;
    case "slice": {
      const { start, end, step } = selector;
      const place = (at: number) => (at >= 0 ? at : length + at);
      if (step > 0) {
        const from = Math.max(place(start ?? 0), 0);
        return index >= from && index < Math.min(place(end ?? length), length) && (index - from) % step === 0;
      }
      if (step === 0) return false;
      const from = Math.min(place(start ?? length - 1), length - 1);
      const to = end === undefined ? -1 : place(end);
      return index <= from && index > to && (from - index) % -step === 0;
    }
  }
}
