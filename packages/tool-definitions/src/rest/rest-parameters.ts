import { defined } from "@yagate/lib/objects/defined";
import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type RestDefinition,
  type RestParameter,
  YagateError,
} from "@yagate/protocol";

/**
 * Maximum number of required body fields that each body field lists as its dependencies. If there are more, the last
 * listed field in turn lists all of them. This keeps schemas small.
 */
const MAX_LISTED = 8;

/** Checks whether the author fixed the value of a parameter, so that the model can neither see nor change it. */
export function isFixed(parameter: RestParameter): boolean {
  return parameter.value !== undefined;
}

/** Returns the parameter's name in the request. */
export function wireNameOf({ name, wireName }: RestParameter): string {
  return wireName ?? name;
}

/**
 * Returns the JSON Schema of the model's arguments: all parameters that are not fixed. It does not contain
 * `allowedValues`, which the model does not see.
 */
export function restParameters(definition: Pick<RestDefinition, "parameters" | "bodyRequired">): JsonObject {
  const visible = definition.parameters.filter((parameter) => !isFixed(parameter));
  const body = isBodyOptional(definition) ? visible.filter((parameter) => parameter.in === "body") : [];
  const neededInBody = body.length > 1 ? body.filter(isRequired) : [];
  const schemaOf = (parameter: RestParameter) =>
    neededInBody.includes(parameter) ? parameterSchema(withBodyNote(parameter)) : parameterSchema(parameter);
  const listed = neededInBody.slice(0, MAX_LISTED);
  const dependent = body.flatMap((parameter) => {
    const needed = parameter === listed.at(-1) ? neededInBody : listed;
    const others = needed.filter((one) => one !== parameter).map(({ name }) => name);
    return others.length === 0 ? [] : [[parameter.name, others] as const];
  });
  return {
    type: "object",
    properties: Object.fromEntries(visible.map((parameter) => [parameter.name, schemaOf(parameter)])),
    required: visible.filter((one) => isRequired(one) && !body.includes(one)).map(({ name }) => name),
    ...(dependent.length === 0 ? {} : { dependentRequired: Object.fromEntries(dependent) }),
    additionalProperties: false,
  };
}

/**
 * Checks whether a call may omit the body. A fixed body field is always sent; a tool with such a field needs all
 * required body fields in every call.
 */
export function isBodyOptional({
  parameters,
  bodyRequired,
}: Pick<RestDefinition, "parameters" | "bodyRequired">): boolean {
  return bodyRequired === false && !parameters.some((parameter) => parameter.in === "body" && isFixed(parameter));
}

/** Adds the dependency to the description, because some providers drop `dependentRequired` from a schema. */
function withBodyNote(parameter: RestParameter): RestParameter {
  const note = "Required if any other field of the body is given.";
  return {
    ...parameter,
    description: parameter.description === undefined ? note : `${parameter.description} ${note}`,
  };
}

/** Returns the JSON Schema of one parameter's values. */
export function parameterSchema({ type, nullable, description, schema }: RestParameter): JsonObject {
  return {
    type: nullable === true ? [type, "null"] : type,
    ...defined({ description }),
    ...schema,
  };
}

function isRequired(parameter: RestParameter): boolean {
  return parameter.in === "path" || parameter.required === true;
}

/** Checks whether a value is allowed; for a list, whether each item is. */
export type IsAllowed = (value: JsonValue) => boolean;

/** Creates the check for a parameter's `allowedValues`. Without them, every value is allowed. */
export function createAllowedCheck({
  type,
  allowedValues: allowed,
}: Pick<RestParameter, "type" | "allowedValues">): IsAllowed {
  if (allowed === undefined) return () => true;
  let keys: ReadonlySet<string | undefined> | undefined;
  const isKnown = (value: JsonValue) => {
    keys ??= new Set(allowed.map(keyOf));
    const key = keyOf(value);
    return key !== undefined && keys.has(key);
  };
  return (value) => (type === "array" && Array.isArray(value) ? value.every(isKnown) : isKnown(value));
}

/**
 * Returns the key of a value; undefined for a value that is not JSON. Equal values have equal keys, so a value can be
 * looked up instead of compared with each allowed one.
 */
function keyOf(value: JsonValue): string | undefined {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (YagateError.is(error)) return undefined;
    throw error;
  }
}
