/** The name of a tool of a source, as models read it: `orders.lookup`. */
const SOURCED_NAME = /^([a-z][a-z0-9_]{0,23})\.([A-Za-z][A-Za-z0-9_.-]{0,63})$/;

/**
 * Returns the end of an error message, which says how to refer to a tool of a source. Empty unless the rejected value
 * looks like the name of such a tool.
 */
export function sourceReferenceFor(input: unknown): string {
  const [, source, tool] = (typeof input === "string" ? SOURCED_NAME.exec(input) : null) ?? [];
  if (source === undefined || tool === undefined) return "";
  return `; for the tool ${tool} of the tool source ${source}: { "source": "${source}", "tools": ["${tool}"] }`;
}
