import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { SkipOperation } from "./skip-operation.ts";

/**
 * Returns the base URL of an operation, without a trailing slash. It is the first https server in the nearest list of
 * servers, with the default values of its variables, or the first http server if there is no https server.
 *
 * @param given - the base URL that the importer specified. Relative URLs are resolved against it. If there are no
 *   servers, or only servers that contain variables without a default, this URL itself is used.
 * @throws SkipOperation if there is no absolute URL.
 */
export function serverUrl(lists: readonly unknown[], path: string, given: string | undefined): string {
  const list = lists.find((one) => Array.isArray(one) && one.length > 0);
  const servers = Array.isArray(list) ? list.filter(isJsonObject).map(withDefaults) : [];
  // A variable without a default keeps its braces, so the request would go to a host or path that contains braces.
  const complete = servers.filter((text) => !/[{}]/.test(text));
  const candidates = complete.length === 0 && given !== undefined ? [given] : complete;
  const urls = candidates.map((text) => URL.parse(text, given)).filter((url) => url !== null);
  const url = urls.find(({ protocol }) => protocol === "https:") ?? urls.find(({ protocol }) => protocol === "http:");
  if (url === undefined) {
    throw new SkipOperation(path, "expected servers with an absolute https url: set server to the address of the API");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new SkipOperation(path, "expected a server without a query, fragment or user name");
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
