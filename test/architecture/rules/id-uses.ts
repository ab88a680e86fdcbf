/** The sources that can reach the generator of ids: those of every package but these. */
const SOURCES = /^packages\/(?!(?:protocol|handler|client|cli|bench)\/)[^/]+\/src\//;
const GENERATOR = "uuid-v7.ts";
const ONLY_IMPORTER = "packages/lib/src/ids/ids.ts";

/** Names of values that are ids: `id`, `toolCallId`, `newToolCallId`, and the owner of a lease, which is a replica's id. */
const ID_NAME = /^(?:id|owner|\w+Id)$/;

/** Whether the rule is for a path. */
export const mayMakeIds = (path: string): boolean => SOURCES.test(path) && path.endsWith(".ts");

/**
 * The places where a source makes an id for anything but an id. Ids contain a counter, and their randomness is drawn in
 * batches: a secret, a token or a nonce made of them could be guessed.
 */
export function misusedIds(path: string, text: string): readonly string[] {
  const found: string[] = [];
  for (const [use, name = ""] of text.matchAll(/(?:\b(\w+)(?: =|:) (?:\(\) => )?)?(?<!function |[\w.])newId\([^)]*/g)) {
    if (!ID_NAME.test(name)) found.push(use);
  }
  if (path !== ONLY_IMPORTER && new RegExp(`from ".*${GENERATOR}"`).test(text)) found.push(GENERATOR);
  return found;
}
