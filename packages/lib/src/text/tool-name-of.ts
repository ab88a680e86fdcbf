const MAX_LENGTH = 64;

/**
 * Returns the name under which an agent is offered as a tool: lower-case letters, digits and
 * `_`, starting with a letter, at most 64 characters. `Order desk` becomes `order_desk`.
 *
 * @param fallback - the name for a text that contains neither Latin letters nor digits.
 */
export function toolNameOf(text: string, fallback: string): string {
  const words = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  if (words === "") return fallback;
  const name = /^[a-z]/.test(words) ? words : `agent_${words}`;
  return name.slice(0, MAX_LENGTH).replace(/_+$/, "");
}
