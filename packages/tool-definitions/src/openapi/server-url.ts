import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { SkipOperation } from "./skip-operation.ts";

/**
 * The address that an operation's path is put behind, without a slash at its end: of the nearest list of servers, the
 * first https one, its variables at their defaults.
 *
 * @param given - what the importer said; it is the base of relative addresses, and stands alone where there are none, or
 * none whose variables have defaults.
 * @throws SkipOperation where none is absolute.
 */
export function serverUrl(lists: readonly unknown[], path: string, given: string | undefined): string {
  const list = lists.find((one) => Array.isArray(one) && one.length > 0);
  const servers = Array.isArray(list) ? list.filter(isJsonObject).map(withDefaults) : [];
  // A variable without a default leaves its braces: the request would go to a place of that name.
  const complete = servers.filter((text) => !/[{}]/.test(text));
  const candidates = complete.length === 0 && given !== undefined ? [given] : complete;
  const urls = candidates.map((text) => URL.parse(text, given)).filter((url) => url !== null);
  const url = urls.find(({ protocol }) => protocol === "https:") ?? urls.find(({ protocol }) => protocol === "http:");
  if (url === undefined) {
    throw new SkipOperation(path, "expected servers with an absolute https url: say where the API is");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new SkipOperation(path, "expected a server without a query, a fragment and a user name");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function withDefaults({ url, variables }: JsonObject): string {
  const values = isJsonObject(variables) ? variables : {};
  return String(url ?? "/").replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = isJsonObject(variable) ? variable["default"] : undefined;
    return typeof value === "string" ? value : whole;
  });
}
