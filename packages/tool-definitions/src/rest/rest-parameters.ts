import { defined } from "@yagate/lib/objects/defined";
import type { JsonObject, RestDefinition, RestParameter } from "@yagate/protocol";

/** Each field of a body names so many of those that it needs, and the last of these names all, so that schemas stay small. */
const MAX_LISTED = 8;

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

/** Whether a call may leave the whole body out. A fixed field of it is always sent, and so the others are needed. */
export function isBodyOptional({
  parameters,
  bodyRequired,
}: Pick<RestDefinition, "parameters" | "bodyRequired">): boolean {
  return bodyRequired === false && !parameters.some((parameter) => parameter.in === "body" && isFixed(parameter));
}

/** Some providers drop `dependentRequired` from a schema, so the words say it too. */
function withBodyNote(parameter: RestParameter): RestParameter {
  const note = "Required if any other field of the body is given.";
  return {
    ...parameter,
    description: parameter.description === undefined ? note : `${parameter.description} ${note}`,
  };
}

/** The JSON Schema of one parameter's values. */
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
