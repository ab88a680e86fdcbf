import type { ResponseHeaders } from "@yagate/egress";

/** The value of a header, by its name in lower case; one that came more than once as the list that it stands for. */
export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" || value === undefined ? value : value.join(", ");
}
