import { isObject } from "@yagate/lib/json/json-object";
import { DEFAULT_DRAFT, DRAFTS } from "@yagate/lib/json-schema/reading/drafts";
import type { JsonSchemaObject } from "../builtin-tool.ts";
import type { GivenJson, JsonJob } from "./json-validation.ts";
import { JSON_VALIDATOR_LIMITS } from "./limits.ts";

const DEFAULT_MAX_ERRORS = 20;
const MAX_ERRORS = 100;
const OPERATIONS = ["validate", "check_schema", "infer"] as const;
/**
 * All types of JSON, listed because some model providers reject a property without a type, or an array without `items`.
 */
const ANY_JSON = ["string", "object", "array", "number", "boolean", "null"];

/** The parameters of `json_validator`. */
export const JSON_VALIDATOR_PARAMETERS: JsonSchemaObject = {
  type: "object",
  properties: {
    json: {
      type: ANY_JSON,
      items: {},
      maxLength: JSON_VALIDATOR_LIMITS.maxDataCharacters,
      description: "The JSON to check: as a text, exactly as you have it, or as a value",
    },
    schema: {
      type: ["object", "boolean", "string"],
      maxLength: JSON_VALIDATOR_LIMITS.maxSchemaCharacters,
      description: "The JSON Schema to check against, as an object or a text; a text if a property is named __proto__",
    },
    operation: {
      type: "string",
      enum: OPERATIONS,
      description:
        "validate: is json valid JSON, and does it match schema. check_schema: is schema itself valid. infer: derive a schema from samples. Default: depends on the arguments",
    },
    draft: {
      type: "string",
      enum: DRAFTS,
      description: `Draft of a schema without $schema. Default: ${DEFAULT_DRAFT}`,
    },
    assertFormats: {
      type: "boolean",
      description: "Whether format (date-time, email, uri …) is checked. Default: false, as the specification says",
    },
    schemas: {
      type: "object",
      description: "Schemas that schema refers to, as objects or texts, by their URIs: nothing is fetched",
    },
    samples: {
      type: "array",
      items: {},
      minItems: 1,
      maxItems: JSON_VALIDATOR_LIMITS.maxSamples,
      description: "For infer: values that the schema must match",
    },
    detectEnums: {
      type: "boolean",
      description: "For infer: whether repeated strings without a format become an enum. Default: false",
    },
    maxErrors: {
      type: "integer",
      minimum: 1,
      maximum: MAX_ERRORS,
      description: `Maximum number of errors to list; the rest is counted. Default: ${DEFAULT_MAX_ERRORS}`,
    },
  },
  additionalProperties: false,
};

/** Returns the job that a call requests, or a message about the missing argument. */
export function toJsonJob(parameters: Readonly<Record<string, unknown>>): JsonJob | { readonly missing: string } {
  const { json, schema, samples } = parameters;
  const draft = DRAFTS.find((one) => one === parameters["draft"]) ?? DEFAULT_DRAFT;
  const operation = OPERATIONS.find((one) => one === parameters["operation"]) ?? impliedOperation(parameters);
  if (operation === "infer") {
    const given = Array.isArray(samples) ? samples.map((value: unknown) => ({ value })) : [];
    const all = json === undefined ? given : [...given, toGiven(json)];
    if (all.length === 0) return { missing: "infer needs samples: a list of values, or json" };
    return { operation, samples: all, draft, detectEnums: parameters["detectEnums"] === true };
  }
  const against = schema === undefined ? undefined : toAgainst(schema, draft, parameters);
  if (operation === "check_schema") {
    return against === undefined ? { missing: "check_schema needs schema" } : { operation, against };
  }
  if (json === undefined)
    return { missing: "expected json to check, schema to check, or samples to infer a schema from" };
  return { operation, json: toGiven(json), against };
}

function impliedOperation({ json, schema, samples }: Readonly<Record<string, unknown>>): (typeof OPERATIONS)[number] {
  if (json === undefined && samples !== undefined) return "infer";
  return json === undefined && schema !== undefined ? "check_schema" : "validate";
}

function toAgainst(
  schema: unknown,
  draft: (typeof DRAFTS)[number],
  { draft: given, schemas, assertFormats, maxErrors }: Readonly<Record<string, unknown>>,
): NonNullable<Extract<JsonJob, { operation: "validate" }>["against"]> {
  return {
    schema: toGiven(schema),
    draft,
    isDraftGiven: given !== undefined,
    documents: toDocuments(schemas),
    assertFormats: assertFormats === true,
    maxErrors: typeof maxErrors === "number" ? maxErrors : DEFAULT_MAX_ERRORS,
  };
}

function toDocuments(schemas: unknown): Readonly<Record<string, GivenJson>> {
  if (!isObject(schemas)) return {};
  return Object.fromEntries(Object.entries(schemas).map(([address, document]) => [address, toGiven(document)]));
}

/** Converts the argument. A string is parsed as JSON text; a value that is a JSON string would need its own quotes. */
function toGiven(json: unknown): GivenJson {
  return typeof json === "string" ? { text: json } : { value: json };
}
