import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { checkValue } from "./check-value.ts";

/** A call that the leaderboard expects. */
export interface BfclExpectedCall {
  readonly name: string;
  /** The acceptable values of each parameter; if they contain `""`, the parameter may be absent. */
  readonly arguments: Readonly<Record<string, readonly unknown[]>>;
  /** The parameters of the function, as JSON Schema or in the leaderboard's words for types. */
  readonly parameters: JsonObject;
}

/** A call as a model made it. */
export interface BfclCall {
  readonly name: string;
  readonly parameters: unknown;
}

/**
 * Judges one call by the rules of the Berkeley Function Calling Leaderboard (BFCL v4, Python).
 *
 * @returns what is wrong; undefined if the call is correct.
 */
export function checkBfclCall(call: BfclCall, expected: BfclExpectedCall): string | undefined {
  if (call.name !== expected.name) return `expected ${expected.name}`;
  const given = isJsonObject(call.parameters) ? call.parameters : {};
  const { required, properties } = expected.parameters;
  const declared = isJsonObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const missing = needed.find((name) => !Object.hasOwn(given, name));
  if (missing !== undefined) return `${missing} is missing`;
  for (const [name, value] of Object.entries(given)) {
    const alternatives = Object.hasOwn(expected.arguments, name) ? expected.arguments[name] : undefined;
    if (alternatives === undefined || !Object.hasOwn(declared, name)) return `${name} is not expected`;
    const problem = checkValue(value, alternatives, declared[name]);
    if (problem !== undefined) return `${name} ${problem}`;
  }
  const absent = Object.entries(expected.arguments).find(
    ([name, alternatives]) => !Object.hasOwn(given, name) && !alternatives.includes(""),
  );
  return absent === undefined ? undefined : `${absent[0]} is missing`;
}
