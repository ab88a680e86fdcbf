import type { JsonObject, JsonValue } from "@yagate/protocol";
import { isObject } from "../../json/json-object.ts";
import type { JsonPath, Segment, Selector } from "./json-path.ts";

/** Limits on the cost and size of a selection. */
export interface SelectionLimits {
  /** Maximum number of values to visit. Default: 500,000. */
  readonly maxVisits?: number;
  /** Maximum number of values to select. Default: 10,000. */
  readonly maxValues?: number;
  /**
   * Maximum number of JSON characters in all selected values together. Default: 1,048,576. The first value is selected
   * whatever its size.
   */
  readonly maxCharacters?: number;
}

/** The values that a path selects, in document order. */
export interface Selection {
  readonly values: readonly JsonValue[];
  /** Whether all matching values were selected. `false` if a limit ended the selection early. */
  readonly isComplete: boolean;
}

const DEFAULT_LIMITS = { maxVisits: 500_000, maxValues: 10_000, maxCharacters: 1_048_576 };

/** Counts visited values against the limit. */
class Visits {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Counts a visit, and returns whether the limit allows it. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }

  get areOver(): boolean {
    return this.#left < 0;
  }
}

/**
 * Selects values by a path. Values are found one at a time, so a large selection costs no more than the part of it that
 * is used. If a limit is reached, the selection ends early.
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
        // A selector that matches nothing also counts as a visit.
        if (!visits.take()) return;
      }
    }
  }
}

/**
 * Yields a value and its descendants, parents first. The function is not recursive, because a document may be nested to
 * any depth.
 */
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

/** Yields the items of a slice. Indexes are normalised as in RFC 9535, section 2.3.4.2.2. */
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
