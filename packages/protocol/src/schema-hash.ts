import { canonicalJson } from "./canonical-json.ts";
import { YagateError } from "./errors/yagate-error.ts";
import { encodeHex } from "./signing/hex.ts";

/**
 * Hashes a tool's parameter schema by its content: equal schemas have equal hashes, regardless of the order of their
 * members.
 *
 * @param parameters - the JSON Schema as saved.
 * @returns `sha256:` and the lower-case hex SHA-256 of the schema in the canonical form of RFC 8785, encoded in UTF-8.
 * @throws {@link YagateError} `PAYLOAD_INVALID` if the schema is not JSON; `NOT_CONFIGURED` if the runtime has no Web
 *   Crypto.
 */
export async function schemaHash(parameters: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(parameters));
  if (globalThis.crypto?.subtle === undefined) {
    throw new YagateError("NOT_CONFIGURED", "expected Web Crypto; browsers provide it only in secure contexts");
  }
  return `sha256:${encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))}`;
}
