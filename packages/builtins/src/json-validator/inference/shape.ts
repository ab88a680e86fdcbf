import { isJsonObject } from "@yagate/lib/json/json-object";
import { canonicalJson } from "@yagate/lib/json-schema/keywords/canonical-json";
import { formatsOf } from "./string-format.ts";

/** Statistics about the values seen at one path. */
export interface Shape {
  readonly types: Set<string>;
  count: number;
  /** Formats that every string so far matches; undefined before the first string. */
  formats: readonly string[] | undefined;
  /** The different scalars so far, by canonical text; undefined once there are too many. */
  scalars: Map<string, unknown> | undefined;
  objects: number;
  readonly members: Map<string, Shape>;
  items: Shape | undefined;
}

/** Maximum number of different values in an enum. */
const MAX_CHOICES = 20;

export function newShape(): Shape {
  return {
    types: new Set(),
    count: 0,
    formats: undefined,
    scalars: new Map(),
    objects: 0,
    members: new Map(),
    items: undefined,
  };
}

/** Adds a value to the statistics. */
export function addValue(shape: Shape, value: unknown): void {
  shape.count += 1;
  if (Array.isArray(value)) {
    shape.types.add("array");
    shape.scalars = undefined;
    shape.items ??= newShape();
    for (const item of value) addValue(shape.items, item);
  } else if (isJsonObject(value)) {
    shape.types.add("object");
    shape.scalars = undefined;
    shape.objects += 1;
    for (const [name, member] of Object.entries(value)) addValue(memberOf(shape, name), member);
  } else {
    addScalar(shape, value);
  }
}

function memberOf(shape: Shape, name: string): Shape {
  const member = shape.members.get(name) ?? newShape();
  shape.members.set(name, member);
  return member;
}

function addScalar(shape: Shape, value: unknown): void {
  if (typeof value === "number") shape.types.add(Number.isInteger(value) ? "integer" : "number");
  else shape.types.add(value === null ? "null" : typeof value);
  if (typeof value === "string") {
    const formats = formatsOf(value);
    shape.formats = shape.formats === undefined ? formats : shape.formats.filter((format) => formats.includes(format));
  }
  shape.scalars?.set(canonicalJson(value), value);
  // An overflowing number is parsed as Infinity, which cannot be written in an enum.
  const isInfinite = typeof value === "number" && !Number.isFinite(value);
  if (isInfinite || (shape.scalars?.size ?? 0) > MAX_CHOICES) shape.scalars = undefined;
}

/** Combines the statistics of all members of an object that is used as a map. */
export function mergedMembers(shape: Shape): Shape {
  const merged = newShape();
  for (const member of shape.members.values()) merge(merged, member);
  return merged;
}

function merge(into: Shape, from: Shape): void {
  for (const type of from.types) into.types.add(type);
  into.count += from.count;
  into.objects += from.objects;
  const { formats } = from;
  if (formats !== undefined) into.formats = into.formats?.filter((format) => formats.includes(format)) ?? formats;
  if (from.scalars === undefined) into.scalars = undefined;
  for (const [text, value] of from.scalars ?? []) into.scalars?.set(text, value);
  if ((into.scalars?.size ?? 0) > MAX_CHOICES) into.scalars = undefined;
  for (const [name, member] of from.members) merge(memberOf(into, name), member);
  if (from.items === undefined) return;
  into.items ??= newShape();
  merge(into.items, from.items);
}
