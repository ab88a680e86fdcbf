import { type SchemaNode, toSchemaNode } from "./schema-facets.ts";

const SCALAR = { type: ["string", "number", "boolean"] };
const SCALARS = { type: ["string", "number", "boolean", "array"], items: SCALAR };

/** Takes whatever is filled in. */
export function anything(): SchemaNode {
  return toSchemaNode({});
}

/** What can become a part of a longer text: of a URL, a header, or any other. */
export function scalar(): SchemaNode {
  return toSchemaNode(SCALAR);
}

/** What a name in a query can stand before: a list is its name once for each item. */
export function queryValue(): SchemaNode {
  return toSchemaNode(SCALARS);
}

/** What is sent as a form: fields, or a text that is one already. */
export function formBody(): SchemaNode {
  return toSchemaNode({ type: ["object", "string"], additionalProperties: SCALARS });
}
