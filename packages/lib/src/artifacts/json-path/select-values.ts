import type { JsonObject, JsonValue } from "@yagate/protocol";
import { isObject } from "../../json/json-object.ts";
import type { JsonPath, Segment, Selector } from "./json-path.ts";

/** How much a selection may cost and bring. */
export interface SelectionLimits {
  /** Values that are looked at on the way; default 500 000. */
  readonly maxVisits?: number;
  /** Values of the selection; default 10 000. */
  readonly maxValues?: number;
  /** Characters of the JSON of all its values together; default 1 048 576. The first one counts whatever its size. */
  readonly maxCharacters?: number;
}

/** What a path selects, in the order of the document. */
export interface Selection {
  readonly values: readonly JsonValue[];
  /** Nothing was left out for its size or its cost. */
  readonly isComplete: boolean;
}

const DEFAULT_LIMITS = { maxVisits: 500_000, maxValues: 10_000, maxCharacters: 1_048_576 };

/** Counts what a selection looks at. */
class Visits {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Whether there is still something left for one more. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }

  get areOver(): boolean {
    return this.#left < 0;
  }
}

/**
 * The values that a path selects. One after the other is looked for, so that a large selection costs no more than what is
 * taken of it; a path whose selection would cost too much brings the beginning of it.
 */
export function selectValues(path: JsonPath, root: JsonValue, limits: SelectionLimits = {}): Selection {
  const { maxVisits, maxValues, maxCharacters } = { ...DEFAULT_LIMITS, ...limits };
  const visits = new Visits(maxVisits);
  let nodes: Iterable<JsonValue> = [root];
  for (const segment of path.segments) nodes = step(nodes, segment, visits);
  const values: JsonValue[] = [];
  let characters = 0;
  for (const value of nodes) {
    characters += JSON.stringify(value).length;
    if (values.length === maxValues || (characters > maxCharacters && values.length > 0)) {
      return { values, isComplete: false };
    }
    values.push(value);
  }
  return { values, isComplete: !visits.areOver };
}

function* step(nodes: Iterable<JsonValue>, segment: Segment, visits: Visits): Generator<JsonValue, void, void> {
  for (const node of nodes) {
    for (const from of segment.isDescendant ? descendants(node, visits) : [node]) {
      for (const selector of segment.selectors) {
        for (const child of children(from, selector)) {
          if (!visits.take()) return;
          yield child;
        }
        // A choice that finds nothing costs something, too.
        if (!visits.take()) return;
      }
    }
  }
}

/** A value and everything below it, parents first. Without recursion: a document may be as deep as it likes. */
function* descendants(root: JsonValue, visits: Visits): Generator<JsonValue, void, void> {
  const open: Iterator<JsonValue>[] = [[root][Symbol.iterator]()];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { value, done } = top.next();
    if (done) {
      open.pop();
      continue;
    }
    if (!visits.take()) return;
    yield value;
    if (isObject(value)) open.push(childrenOf(value)[Symbol.iterator]());
  }
}

function childrenOf(value: JsonObject | JsonValue[]): readonly JsonValue[] {
  return Array.isArray(value) ? value : Object.values(value);
}

function children(value: JsonValue, selector: Selector): Iterable<JsonValue> {
  if (!isObject(value)) return [];
  switch (selector.type) {
    case "wildcard":
      return childrenOf(value);
    case "name":
      return Array.isArray(value) ? [] : member(value, selector.name);
    case "index":
      return Array.isArray(value) ? element(value, selector.index) : [];
    case "slice":
      return Array.isArray(value) ? sliced(value, selector) : [];
  }
}

function member(value: JsonObject, name: string): readonly JsonValue[] {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return found === undefined ? [] : [found];
}

function element(array: readonly JsonValue[], index: number): readonly JsonValue[] {
  const found = array.at(index);
  return found === undefined ? [] : [found];
}

/** As the RFC counts (section 2.3.4.2.2). */
function* sliced(
  array: readonly JsonValue[],
  { start, end, step }: Extract<Selector, { type: "slice" }>,
): Generator<JsonValue, void, void> {
  const { length } = array;
  const place = (index: number) => (index >= 0 ? index : length + index);
  if (step > 0) {
    const to = Math.min(Math.max(place(end ?? length), 0), length);
    for (let at = Math.min(Math.max(place(start ?? 0), 0), length); at < to; at += step) yield* element(array, at);
  }
  if (step < 0) {
    const to = Math.min(Math.max(end === undefined ? -1 : place(end), -1), length - 1);
    const from = Math.min(Math.max(place(start ?? length - 1), -1), length - 1);
    for (let at = from; at > to; at += step) yield* element(array, at);
  }
}
