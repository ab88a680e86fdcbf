import { canonicalJson } from "./canonical-json.ts";
import { YagateError } from "./errors/yagate-error.ts";
import { encodeHex } from "./signing/hex.ts";

/**
 * Identifies a tool's parameter schema by its content: equal schemas have equal hashes, regardless of the order of
 * their members.
 *
 * @param parameters - the JSON Schema as saved.
 * @returns `sha256:` and the lower-case hex SHA-256 of its RFC 8785 form in UTF-8.
 * @throws {@link YagateError} `PAYLOAD_INVALID` (not JSON), `NOT_CONFIGURED` (a runtime without Web Crypto).
 */
export async function schemaHash(parameters: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(parameters));
  if (globalThis.crypto?.subtle === undefined) {
    throw new YagateError("NOT_CONFIGURED", "expected Web Crypto; browsers offer it in secure contexts only");
  }
  return `sha256:${encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))}`;
}
