import { schemaHash } from "./schema-hash.ts";

/**
 * Hashes the arguments of a tool call, as a recording names them: equal arguments have equal hashes, regardless of the
 * order of their members.
 *
 * @param parameters - the arguments, as the call contains them.
 * @returns `sha256:` and the lower-case hex SHA-256 of the arguments in the canonical form of RFC 8785.
 * @throws {@link YagateError} `PAYLOAD_INVALID` if the arguments are not JSON; `NOT_CONFIGURED` if the runtime has no
 *   Web Crypto.
 */
export function argumentsHash(parameters: unknown): Promise<string> {
  return schemaHash(parameters);
}
