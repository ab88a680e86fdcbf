import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { FORMATS } from "@yagate/lib/json-schema/formats/parameter-formats";
import { canonicalJson } from "@yagate/lib/json-schema/keywords/canonical-json";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import { createSchemaValidator, type SchemaInput } from "@yagate/lib/json-schema/schema-validator";
import { cutText } from "@yagate/lib/text/cut-text";
import { toVisibleLine } from "@yagate/protocol";
import type { ExpectedCall, MatchMode } from "../cases/case-schema.ts";
import { checkBfclCall } from "./bfcl/check-call.ts";

/** A call to compare: its name and its arguments. */
export interface ComparedCall {
  readonly name: string;
  readonly parameters: unknown;
}

interface Comparison {
  readonly mode: MatchMode;
  /** The JSON Schema of the tool's parameters; undefined if it is not known. */
  readonly schema: JsonObject | undefined;
}

/**
 * Compares the arguments of a call with the expected ones.
 *
 * - `exact`: the same arguments, each equal to the expected value or to one of the values in a list.
 * - `partial`: like `exact`, but additional arguments are accepted, including in nested objects.
 * - `schema`: the expected arguments are a JSON Schema, by default the schema of the tool.
 * - `bfcl`: the rules of the Berkeley Function Calling Leaderboard.
 *
 * @returns what is wrong; undefined if the arguments match.
 */
export function matchArguments(call: ComparedCall, expected: ExpectedCall, comparison: Comparison): string | undefined {
  if (call.name !== expected.name) return `expected ${expected.name}`;
  const { arguments: wanted } = expected;
  const { mode, schema } = comparison;
  if (mode === "schema") return schemaProblem(call.parameters, wanted ?? schema);
  if (wanted === undefined) return undefined;
  if (mode === "bfcl") {
    const lists = Object.entries(wanted).map(
      ([name, value]) => [name, Array.isArray(value) ? value : [value]] as const,
    );
    const parameters = expected.parameters ?? schema ?? {};
    return checkBfclCall(call, { name: expected.name, arguments: Object.fromEntries(lists), parameters });
  }
  const given = isJsonObject(call.parameters) ? call.parameters : {};
  const extra = mode === "exact" ? Object.keys(given).find((name) => !Object.hasOwn(wanted, name)) : undefined;
  if (extra !== undefined) return `${extra} is not expected`;
  for (const [name, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(given, name)) return `${name} is missing`;
    if (!matchesOne(given[name], value, mode)) return differenceOf(name, given[name], value);
  }
  return undefined;
}

/** Number of characters of a value in a message. */
const MAX_SHOWN = 200;

function differenceOf(name: string, given: unknown, wanted: unknown): string {
  return `${name} is not the expected value: expected ${shown(wanted)}, but it is ${shown(given)}`;
}

function shown(value: unknown): string {
  return toVisibleLine(cutText(canonicalJson(value), MAX_SHOWN));
}

/** A list contains alternatives and, for arguments that are lists, is itself an alternative. */
function matchesOne(value: unknown, expected: unknown, mode: MatchMode): boolean {
  const alternatives = Array.isArray(expected) ? [...expected, expected] : [expected];
  return alternatives.some((one) => (mode === "partial" ? contains(value, one) : isEqual(value, one)));
}

function contains(value: unknown, part: unknown): boolean {
  if (!isJsonObject(part)) return isEqual(value, part);
  return (
    isJsonObject(value) &&
    Object.entries(part).every(([name, member]) => Object.hasOwn(value, name) && contains(value[name], member))
  );
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function schemaProblem(value: unknown, schema: JsonObject | undefined): string | undefined {
  if (schema === undefined) return "has no schema to compare with: write one in arguments";
  return jsonSchemaProblem(value, schema);
}

/** Validates a value against a JSON Schema (draft 2020-12). Returns the first problem. */
export function jsonSchemaProblem(value: unknown, schema: JsonObject): string | undefined {
  const input: SchemaInput = {
    ...{ schema, documents: {}, formats: FORMATS, quotesValues: false, assertFormats: true },
    draft: "2020-12",
  };
  const { maxSteps, maxViolations } = VALUE_LIMITS;
  try {
    const validator = createSchemaValidator(input, { maxSteps, maxViolations });
    const [broken] = validator.schemaViolations.kept;
    if (broken !== undefined) return `can't be compared: the schema ${broken.path} ${broken.message}`;
    const [first] = validator.validate(value).kept;
    return first === undefined ? undefined : `${first.path === "" ? "the value" : first.path} ${first.message}`;
  } catch (error) {
    return `can't be compared: ${error instanceof Error ? error.message : "the schema is invalid"}`;
  }
}
