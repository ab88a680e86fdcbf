import type { JsonObject, RestDefinition, RestParameter } from "@yagate/protocol";

/** Whether the author has set the parameter: the model neither sees nor changes it. */
export function isFixed(parameter: RestParameter): boolean {
  return parameter.value !== undefined;
}

/** The parameter's name in the request. */
export function wireNameOf({ name, wireName }: RestParameter): string {
  return wireName ?? name;
}

/**
 * The JSON Schema of what the model gives: every parameter that is not fixed, and no other. Values that are let
 * through without being shown (`allowedValues`) are not in it.
 */
export function restParameters({ parameters }: Pick<RestDefinition, "parameters">): JsonObject {
  const visible = parameters.filter((parameter) => !isFixed(parameter));
  return {
    type: "object",
    properties: Object.fromEntries(visible.map((parameter) => [parameter.name, parameterSchema(parameter)])),
    required: visible.filter(isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The JSON Schema of one parameter's values. */
export function parameterSchema({ type, nullable, description, schema }: RestParameter): JsonObject {
  return {
    type: nullable === true ? [type, "null"] : type,
    ...(description === undefined ? {} : { description }),
    ...schema,
  };
}

function isRequired(parameter: RestParameter): boolean {
  return parameter.in === "path" || parameter.required === true;
}
