import { isJsonObject } from "@yagate/lib/json/json-object";
import { checkType } from "./check-type.ts";
import { pythonEqual } from "./python-equal.ts";
import { declaredType, typeOfValue } from "./python-type.ts";
import { standardText } from "./standard-text.ts";

/**
 * Compares an argument with its acceptable values by the rules of the leaderboard.
 *
 * @param schema - the declaration of the parameter.
 * @returns what is wrong; undefined if the argument is acceptable.
 */
export function checkValue(value: unknown, alternatives: readonly unknown[], schema: unknown): string | undefined {
  const declared = declaredType(schema);
  const items = declared === "list" && isJsonObject(schema) ? declaredType(schema["items"]) : undefined;
  // An integer is accepted where a float is declared. In lists, it is not converted.
  const isConverted = declared === "float" && typeOfValue(value) === "int";
  const { isAccepted, isVariable } = isConverted
    ? { isAccepted: true, isVariable: false }
    : checkType(value, alternatives, { declared, items });
  if (!isAccepted) return `has the wrong type`;
  const isEqual = isVariable ? includes(alternatives, value) : compare(value, alternatives, declared, items);
  return isEqual ? undefined : "is not one of the acceptable values";
}

function compare(
  value: unknown,
  alternatives: readonly unknown[],
  declared: ReturnType<typeof declaredType>,
  items: ReturnType<typeof declaredType> | undefined,
): boolean {
  if (declared === "dict") return alternatives.some((one) => isJsonObject(one) && fitsObject(value, one));
  if (declared === "list" && items === "dict") return alternatives.some((one) => fitsObjects(value, one));
  if (declared === "str") {
    const texts = alternatives.filter((one) => typeof one === "string").map(standardText);
    return texts.includes(standardText(value));
  }
  if (declared === "list") return includes(alternatives.map(standardItems), standardItems(value));
  return includes(alternatives, value);
}

/** An object has no unknown key, and lacks only keys that may be absent. */
function fitsObject(value: unknown, alternative: Readonly<Record<string, unknown>>): boolean {
  if (!isJsonObject(value)) return false;
  const isKnown = Object.entries(value).every(([key, member]) => {
    const accepted = Object.hasOwn(alternative, key) ? alternative[key] : undefined;
    return Array.isArray(accepted) && includes(accepted.map(standardText), standardText(member));
  });
  return (
    isKnown &&
    Object.entries(alternative).every(
      ([key, accepted]) => Object.hasOwn(value, key) || (Array.isArray(accepted) && accepted.includes("")),
    )
  );
}

function fitsObjects(value: unknown, alternative: unknown): boolean {
  if (!Array.isArray(value)) return false;
  // `""` is a list without objects for the leaderboard.
  const expected = Array.isArray(alternative) ? alternative : [];
  return (
    value.length === expected.length &&
    value.every((item, at) => isJsonObject(expected[at]) && fitsObject(item, expected[at]))
  );
}

function standardItems(value: unknown): unknown {
  return Array.isArray(value) ? value.map(standardText) : value === "" ? [] : value;
}

function includes(values: readonly unknown[], value: unknown): boolean {
  return values.some((one) => pythonEqual(one, value));
}
