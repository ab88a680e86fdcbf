import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { listSubschemas, type Subschema } from "./subschemas.ts";

/** A schema in a document: the root or a subschema. Boolean schemas have no keywords. */
export interface SchemaNode {
  /** JSON pointer from the root of the document. */
  readonly path: string;
  readonly keywords: JsonObject;
  /** The direct subschemas, with paths relative to this schema. */
  readonly subschemas: readonly Subschema[];
}

/** Returns all schemas in a document by JSON pointer, the root first. The depth of the document must be limited. */
export function collectSchemaNodes(root: unknown): ReadonlyMap<string, SchemaNode> {
  const nodes = new Map<string, SchemaNode>();
  collect(root, "");
  return nodes;

  function collect(schema: unknown, path: string): void {
    const keywords = isJsonObject(schema) ? schema : {};
    const subschemas = listSubschemas(keywords);
    nodes.set(path, { path, keywords, subschemas });
    for (const { pointer, schema: inner } of subschemas) collect(inner, path + pointer);
  }
}
