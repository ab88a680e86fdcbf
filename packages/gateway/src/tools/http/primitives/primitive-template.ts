import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { HTTP_METHODS, type HttpMethod, type JsonObject, type JsonValue, YagateError } from "@yagate/protocol";
import { overridesMethod } from "@yagate/tool-definitions/request/method-override";
import type { RequestTemplate } from "@yagate/tool-definitions/request/port";
import { createRequestBudgets } from "@yagate/tool-definitions/request/request-limits";
import type { Primitive } from "./primitive.ts";
import { requestHeaders } from "./request-headers.ts";

/** Creates the template that renders the request of a primitive from the model's arguments. */
export function primitiveTemplate({ method }: Primitive): RequestTemplate {
  return {
    secretNames: [],
    render(parameters) {
      const body = parameters["body"];
      const used = method ?? methodOf(parameters);
      if (used === "GET" && body !== undefined) {
        throw new YagateError("INVALID_ARGUMENTS", "expected no body: a GET request has none; use query_params");
      }
      const headers = requestHeaders(parameters["headers"]);
      if (used === "GET" && overridesMethod(Object.keys(headers))) {
        throw new YagateError(
          "INVALID_ARGUMENTS",
          "expected a GET request without a header that specifies another method",
        );
      }
      return {
        method: used,
        url: withQuery(textOf(parameters["url"]), parameters["query_params"]),
        headers,
        ...defined({ body }),
      };
    },
  };
}

function methodOf(parameters: JsonObject): HttpMethod {
  return HTTP_METHODS.find((method) => method === parameters["method"]) ?? "GET";
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/**
 * Adds parameters to the query of a URL. Text that is not a URL is returned unchanged; the check of its destination
 * rejects it.
 */
function withQuery(text: string, query: JsonValue | undefined): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = "";
  if (query === undefined || !isJsonObject(query)) return url.href;
  const { url: budget } = createRequestBudgets();
  const search = new URLSearchParams(url.search);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      const text = String(one);
      budget.spend(name.length + text.length + 2);
      search.append(name, text);
    }
  }
  url.search = search.toString();
  return url.href;
}
