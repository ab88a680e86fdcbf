/**
 * Serialises a JSON value to the text whose hash a record contains, in the form of RFC 8785. It accepts
 * everything that `JSON.stringify` accepts, and treats it in the same way: it omits members that are `undefined`, calls
 * `toJSON`, and writes a lone surrogate, which RFC 8785 rejects, as an escape (`\ud800`).
 *
 * @throws RangeError for values that are nested too deeply, and TypeError for a `bigint`.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function recordText(value: unknown): string {
  return write(value) ?? "null";
}

function write(value: unknown): string | undefined {
  switch (typeof value) {
    case "object":
      return value === null ? "null" : writeObject(value);
    // ECMAScript writes numbers and strings as RFC 8785 requires; `undefined` and functions are omitted.
    default:
      return JSON.stringify(value);
  }
}

function writeObject(value: object): string | undefined {
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? "null").join(",")}]`;
  if (!isMembers(value)) return undefined;
  if (typeof value["toJSON"] === "function") return write(value["toJSON"](""));
  const members = Object.keys(value)
    .sort()
    .map((name) => ({ name, text: write(value[name]) }))
    .filter(({ text }) => text !== undefined)
    .map(({ name, text }) => `${JSON.stringify(name)}:${text}`);
  return `{${members.join(",")}}`;
}

/** Narrows an object so that its members can be read. */
function isMembers(value: object): value is Readonly<Record<string, unknown>> {
  return value !== null;
}
