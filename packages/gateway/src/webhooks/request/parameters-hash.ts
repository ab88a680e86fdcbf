import { type JsonObject, schemaHash } from "@yagate/protocol";

const hashes = new WeakMap<JsonObject, string>();

/** The hash of a tool's parameters. A version of an agent keeps its definitions, so each schema is hashed once. */
export async function parametersHash(parameters: JsonObject): Promise<string> {
  const known = hashes.get(parameters);
  if (known !== undefined) return known;
  const hash = await schemaHash(parameters);
  hashes.set(parameters, hash);
  return hash;
}
