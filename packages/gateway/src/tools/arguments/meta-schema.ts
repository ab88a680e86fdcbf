import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

let validate: ReturnType<Ajv2020["getSchema"]>;

/** What the meta-schema of JSON Schema 2020-12 finds wrong; empty when nothing is. The schema must be shallow. */
export function metaSchemaErrors(schema: unknown): readonly ErrorObject[] {
  // Compiled at first use: 30 ms that a process without agents need not spend.
  validate ??= new Ajv2020({
    allErrors: true,
    messages: false,
    verbose: true,
    validateFormats: false,
    strict: false,
    logger: false,
  }).getSchema("https://json-schema.org/draft/2020-12/schema");
  if (validate === undefined) throw new Error("ajv has no meta-schema for JSON Schema 2020-12");
  return validate(schema) === true ? [] : (validate.errors ?? []);
}
