import { createHash } from "node:crypto";
import { MAX_TOOL_NAME_LENGTH } from "@yagate/protocol";

const HASH_CHARACTERS = 8;
const KEPT_CHARACTERS = MAX_TOOL_NAME_LENGTH - HASH_CHARACTERS - 1;

/**
 * Returns the name under which a model reads a tool of a source: `<source>.<tool>`. Characters that tool names cannot
 * contain become `_`, and a part that does not start with a letter gets `t_`. A name of more than 64 characters is cut
 * to 55, followed by `_` and 8 hex digits of the SHA-256 of the complete original name.
 */
export function sourcedToolName(source: string, tool: string): string {
  const parts = tool.replaceAll(/[^A-Za-z0-9_.-]/g, "_").split(".");
  const name = [source, ...parts.map((part) => (/^[A-Za-z]/.test(part) ? part : `t_${part}`))].join(".");
  if (name.length <= MAX_TOOL_NAME_LENGTH) return name;
  const hash = createHash("sha256").update(`${source}.${tool}`).digest("hex").slice(0, HASH_CHARACTERS);
  // A dot at the end would start a part that begins with `_`.
  return `${name.slice(0, KEPT_CHARACTERS).replace(/\.$/, "_")}_${hash}`;
}
