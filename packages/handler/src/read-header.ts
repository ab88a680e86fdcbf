/** Headers as runtimes provide them: a Fetch `Headers`, or a record such as Node's `request.headers`. */
export type HeaderSource = Headers | Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads one header. Names in a record may be in any case. Repeated headers are joined with commas, as in HTTP, Node and
 * `Headers`.
 *
 * @param name - in lower case.
 */
export function readHeader(headers: HeaderSource, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name];
  if (typeof value === "string") return value;
  const values: string[] = [];
  for (const key of Object.keys(headers)) {
    // Compares lengths first, because this code runs for every header of every call.
    if (key.length === name.length && key.toLowerCase() === name) values.push(...toList(headers[key]));
  }
  return values.length === 0 ? undefined : values.join(",");
}

function toList(value: string | string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

// Not instanceof, because Headers may come from a polyfill or another realm.
function isHeaders(headers: HeaderSource): headers is Headers {
  return typeof headers["get"] === "function";
}
