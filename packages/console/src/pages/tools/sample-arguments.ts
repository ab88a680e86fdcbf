import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Returns arguments that fit the schema of a definition, as something to start from. */
export function sampleOf(definition: unknown): unknown {
  const { parameters, rest } = asObject(definition);
  const listed = asObject(rest)["parameters"];
  if (Array.isArray(listed)) return sampleOfList(listed.map(asObject));
  return sampleOfSchema(asObject(parameters));
}

/** An HTTP tool lists its parameters; those with a fixed value are not arguments. */
function sampleOfList(parameters: readonly JsonObject[]): unknown {
  const wanted = parameters.filter(
    ({ required, value, in: place }) => value === undefined && (required || place === "path"),
  );
  return Object.fromEntries(
    wanted.map(({ name, type, schema }) => [String(name), sampleOfSchema({ type, ...asObject(schema) })]),
  );
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: "text",
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  null: null,
};

function sampleOfSchema(schema: JsonObject): unknown {
  const { type, properties, required, default: byDefault, examples } = schema;
  const choices = schema["enum"];
  if (byDefault !== undefined) return byDefault;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (Array.isArray(choices) && choices.length > 0) return choices[0];
  if (type !== undefined && type !== "object") return SAMPLES[String(type)] ?? null;
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, sampleOfSchema(asObject(asObject(properties)[name]))]));
}
