import { serviceUrl } from "./service-url.ts";
import type { WireRequest } from "./wire-format.ts";

/** Creates the single request to a service that accepts a search as JSON at `/search`. */
export function postRequest(
  baseUrl: string,
  headers: WireRequest["headers"],
  body: Readonly<Record<string, unknown>>,
): readonly WireRequest[] {
  return [{ method: "POST", url: serviceUrl(baseUrl, "/search"), headers, body }];
}
