import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonObject, JsonValue, RestParameter } from "@yagate/protocol";

type Type = RestParameter["type"];
const TYPES: readonly Type[] = ["string", "number", "integer", "boolean", "array", "object"];
const MAX_DESCRIPTION = 2_000;
const MAX_NAME = 64;

/** The facts of a parameter except its schema. */
export interface ParameterFacts {
  /** The name in the request. */
  readonly wireName: string;
  readonly in: RestParameter["in"];
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

/**
 * Creates a parameter from a converted schema. A parameter has one type; if the schema has several, the first is used.
 *
 * @param takenNames - names in use in the definition; the new name is added.
 */
export function toRestParameter(
  { wireName, in: place, isRequired, description }: ParameterFacts,
  schema: JsonObject,
  takenNames: Set<string>,
  note: (text: string) => void,
): RestParameter {
  const { form, isNullable, isExact } = singleForm(schema);
  const { type, description: own, title, ...keywords } = form;
  const chosen = TYPES.find((one) => one === type) ?? inferredType(form);
  if (chosen === undefined || !isExact) {
    note(`${wireName} has several types: the tool uses ${withArticle(chosen ?? "string")}`);
  }
  const text = [description, own, title].find((one) => typeof one === "string" && one.trim() !== "");
  const name = uniqueName(wireName, place, takenNames);
  return {
    name,
    ...(name === wireName ? {} : { wireName }),
    in: place,
    type: chosen ?? "string",
    ...(typeof text === "string" ? { description: text.slice(0, MAX_DESCRIPTION) } : {}),
    ...(isRequired ? { required: true } : {}),
    ...(isNullable && place === "body" ? { nullable: true } : {}),
    ...(Object.keys(keywords).length === 0 ? {} : { schema: keywords }),
  };
}

interface SingleForm {
  readonly form: JsonObject;
  readonly isNullable: boolean;
  /** Whether the schema allows no other type except null. */
  readonly isExact: boolean;
}

function singleForm(schema: JsonObject): SingleForm {
  const { type } = schema;
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== "null");
    const [first = "string"] = types;
    return { form: { ...schema, type: first }, isNullable: types.length < type.length, isExact: types.length === 1 };
  }
  if (typeof type === "string") return { form: schema, isNullable: false, isExact: true };
  const [only, ...others] = listOf(schema["allOf"]);
  if (isJsonObject(only) && others.length === 0) {
    const { allOf: _, ...rest } = schema;
    const { form, ...facts } = singleForm({ ...only });
    return { form: { ...form, ...rest }, ...facts };
  }
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const alternatives = listOf(schema[keyword]).filter((one): one is JsonObject => isJsonObject(one));
    const others = alternatives.filter((one) => one["type"] !== "null");
    const [first] = others;
    if (first === undefined) continue;
    const { [keyword]: _, ...rest } = schema;
    const { form, isNullable, isExact } = singleForm({ ...first });
    const hasNull = isNullable || others.length < alternatives.length;
    if (others.length === 1) return { form: { ...form, ...rest }, isNullable: hasNull, isExact };
    const types = new Set(others.map((one) => one["type"]));
    // If all alternatives have the same type, all of them are kept, with the type next to them.
    if (types.size === 1 && typeof first["type"] === "string") {
      return { form: { ...rest, type: first["type"], [keyword]: others }, isNullable: hasNull, isExact: true };
    }
    return { form: { ...form, ...rest }, isNullable: hasNull, isExact: false };
  }
  return { form: schema, isNullable: false, isExact: true };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function inferredType({ properties, items, enum: values, allOf, const: constant }: JsonObject): Type | undefined {
  if (properties !== undefined) return "object";
  if (items !== undefined) return "array";
  const [member] = listOf(allOf).filter((one): one is JsonObject => isJsonObject(one));
  if (member !== undefined) return TYPES.find((one) => one === member["type"]);
  const kinds = new Set((constant === undefined ? listOf(values) : [constant]).map((value) => typeof value));
  const [kind] = kinds;
  return kinds.size === 1 ? TYPES.find((one) => one === kind) : undefined;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Returns a unique name that models accept. */
function uniqueName(wireName: string, place: string, taken: Set<string>): string {
  const plain = wireName
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "_")
    .replace(/^[^A-Za-z_]+/, "")
    .slice(0, MAX_NAME);
  const base = plain === "" || FORBIDDEN_KEYS.has(plain) ? `${place}_parameter` : plain;
  let name = base;
  for (let count = 1; taken.has(name); count++) {
    const suffix = count === 1 ? `_${place}` : `_${place}_${count}`;
    name = base.slice(0, MAX_NAME - suffix.length) + suffix;
  }
  taken.add(name);
  return name;
}
