export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Returns the text of a field; empty if the value has no such text. */
export function stringIn(value: unknown, name: string): string {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === "string" ? found : "";
}

/** Returns the last tool result of a request to the model, as text; undefined if its last message has none. */
export function textOf(body: unknown): string | undefined {
  const messages = isObject(body) && Array.isArray(body["messages"]) ? body["messages"] : [];
  const last: unknown = messages.at(-1);
  const content = isObject(last) && Array.isArray(last["content"]) ? last["content"] : [];
  const result: unknown = content.findLast((block) => stringIn(block, "type") === "tool_result");
  if (!isObject(result)) return undefined;
  const parts = Array.isArray(result["content"]) ? result["content"] : [result["content"]];
  return parts.map((part) => (typeof part === "string" ? part : stringIn(part, "text"))).join("");
}
