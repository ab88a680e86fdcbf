import { isJsonObject } from "@yagate/lib/json/json-object";
import { redactText } from "@yagate/lib/redaction/redact-text";

/** What the gateway writes instead of a secret that it knows. */
const MASK = /^(?:\*\*\*[A-Za-z0-9_.-]+\*\*\*)+$/;

/**
 * Finds text that looks like a secret: in a known format, such as an API key or a JSON Web Token, or the value of a
 * field such as `password`. Values that the gateway has masked do not count.
 *
 * @returns the path, such as `recording.toolResults[0].result.token`; undefined if there is none.
 */
export function findSecret(value: unknown, path = ""): string | undefined {
  if (typeof value === "string") return redactText(value) === value ? undefined : path;
  if (Array.isArray(value)) return firstOf(value.entries(), ([at, item]) => findSecret(item, `${path}[${at}]`));
  if (!isJsonObject(value)) return undefined;
  return firstOf(Object.entries(value), ([name, member]) => {
    const inside = path === "" ? name : `${path}.${name}`;
    // The name itself may be a secret, and is then not part of the path.
    if (redactText(name) !== name) return path;
    return isNamedSecret(name, member) ? inside : findSecret(member, inside);
  });
}

function isNamedSecret(name: string, value: unknown): boolean {
  if (typeof value !== "string" || value === "" || MASK.test(value)) return false;
  const text = JSON.stringify({ [name]: value });
  return redactText(text) !== text;
}

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
