import { jsonObjectSchema } from "./json.ts";

/** A JSON Schema (2020-12) for a tool's parameters. Its type must be `object`. */
export const parametersSchema = jsonObjectSchema.refine(
  (schema) => schema["type"] === "object",
  'expected a JSON Schema with "type": "object"',
);
