import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { listSubschemas, type Subschema } from "./subschemas.ts";

/** One schema of a document: the document itself or one inside it. Boolean schemas have no keywords. */
export interface SchemaNode {
  /** JSON pointer from the root of the document. */
  readonly path: string;
  readonly keywords: JsonObject;
  /** The schemas directly inside, with paths relative to this one. */
  readonly subschemas: readonly Subschema[];
}

/** Every schema of a document by its JSON pointer, the root first. The document must be of limited depth. */
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
