import { shortText, withArticle } from "@yagate/lib/json-schema/violation-text";
import { facetsOf, type SchemaFacets, type SchemaMembers, type SchemaNode, type ValueType } from "./schema-facets.ts";

/** Why one schema rejects values of another. */
export interface Mismatch {
  /** Whether no value matches. If false, some values match. */
  readonly isCertain: boolean;
  /** The path inside the value: `[]` for the items of a list, `.name` for a member, empty for the value itself. */
  readonly place: string;
  /** What the value is, as a predicate, such as `is a number` or `may be null`. */
  readonly is: string;
  /** What is accepted there, such as `a string`. */
  readonly takes: string;
}

/** Maximum number of nesting levels of lists and objects that are compared. */
const MAX_LEVELS = 8;

/**
 * Compares the values that one schema allows with those that another accepts, by types, listed values, items and
 * members. Other keywords are ignored, so a value that matches here may still be too long.
 *
 * @returns undefined if there is no mismatch.
 */
export function mismatchOf(given: SchemaNode, taken: SchemaNode, levels = MAX_LEVELS): Mismatch | undefined {
  const has = facetsOf(given);
  const takes = facetsOf(taken);
  // A schema without a declared type can't mismatch.
  if (has.types.size === 7 || takes.types.size === 7) return undefined;
  // A parameter whose schema allows no value is never filled in.
  if (has.types.size === 0) return undefined;
  const shared = new Set([...has.types].filter((type) => takes.types.has(type)));
  if (shared.size === 0) return mismatch(true, `is ${typesText(has.types)}`, takes);
  const ofValues = mismatchOfValues(has, takes);
  if (ofValues?.isCertain === true) return ofValues;
  const inside = levels > 0 ? mismatchesInside(has, takes, levels - 1) : new Map<ValueType, Mismatch>();
  const isHopeless = [...shared].every((type) => inside.get(type)?.isCertain === true);
  const [first] = inside.values();
  if (isHopeless && first !== undefined) return first;
  const unfit = new Set([...has.types].filter((type) => !takes.types.has(type)));
  if (unfit.size > 0) return mismatch(false, `may be ${typesText(unfit)}`, takes);
  return ofValues ?? (first && { ...first, isCertain: false });
}

function mismatch(isCertain: boolean, is: string, takes: SchemaFacets): Mismatch {
  return { isCertain, place: "", is, takes: takes.values ? listedText(takes.values) : typesText(takes.types) };
}

function mismatchOfValues(has: SchemaFacets, takes: SchemaFacets): Mismatch | undefined {
  const { values } = takes;
  if (values === undefined) return undefined;
  if (has.values === undefined) {
    const isWhole = [...has.types].every((type) => type === "null" || (type === "boolean" && values.size >= 2));
    return isWhole ? undefined : mismatch(false, `may be any ${typesText(has.types).replace(/^an? /, "")}`, takes);
  }
  const unfit = [...has.values].filter((value) => !values.has(value));
  if (unfit.length === 0) return undefined;
  const isCertain = unfit.length === has.values.size;
  return mismatch(isCertain, `${isCertain ? "is" : "may be"} ${listedText(new Set(unfit))}`, takes);
}

function mismatchesInside(has: SchemaFacets, takes: SchemaFacets, levels: number): ReadonlyMap<ValueType, Mismatch> {
  const inside = new Map<ValueType, Mismatch>();
  if (has.items !== undefined && takes.items !== undefined) {
    const ofItems = mismatchOf(has.items, takes.items, levels);
    if (ofItems !== undefined) inside.set("array", { ...ofItems, place: `[]${ofItems.place}` });
  }
  if (has.members !== undefined && takes.members !== undefined) {
    const ofMembers = mismatchOfMembers(has.members, takes.members, levels);
    if (ofMembers !== undefined) inside.set("object", ofMembers);
  }
  return inside;
}

/** Returns the first member that never matches, or else the first that may not match. */
function mismatchOfMembers(has: SchemaMembers, takes: SchemaMembers, levels: number): Mismatch | undefined {
  const found: Mismatch[] = [];
  for (const name of takes.required) {
    if (has.required.has(name)) continue;
    const isCertain = has.isClosed && !has.properties.has(name);
    found.push({ isCertain, place: `.${name}`, is: isCertain ? "is missing" : "may be missing", takes: "a value" });
  }
  for (const [name, node] of has.properties) {
    const isAlways = has.required.has(name);
    const taken = takes.properties.get(name) ?? takes.others;
    if (taken === undefined) {
      if (!takes.isClosed) continue;
      found.push({ isCertain: isAlways, place: `.${name}`, is: "is not a known member", takes: "no such member" });
      continue;
    }
    const inside = mismatchOf(node, taken, levels);
    if (inside === undefined) continue;
    found.push({ ...inside, isCertain: inside.isCertain && isAlways, place: `.${name}${inside.place}` });
  }
  return found.find(({ isCertain }) => isCertain) ?? found[0];
}

/** Maximum number of listed values in a message. A longer list ends with the number of further values. */
const MAX_LISTED = 10;

/** Returns types as a phrase, such as `a string` or `a number or null`. */
function typesText(types: ReadonlySet<ValueType>): string {
  if (types.size === 7) return "any value";
  const isNumber = types.has("integer") && types.has("fraction");
  const words = [...types].flatMap((type) => {
    if (type === "fraction") return isNumber ? [] : ["a number that is not whole"];
    return [withArticle(type === "integer" && isNumber ? "number" : type)];
  });
  const last = words.at(-1) ?? "nothing";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

/** Returns values as a phrase, from their JSON. */
function listedText(values: ReadonlySet<string>): string {
  const texts = [...values].map(shortText);
  const more = texts.length - MAX_LISTED;
  const named = texts.slice(0, MAX_LISTED).join(", ");
  if (texts.length === 1) return named;
  return `one of ${named}${more > 0 ? ` and ${more} more` : ""}`;
}
