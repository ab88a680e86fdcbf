import { defined } from "@yagate/lib/objects/defined";
import { HTTP_METHODS, type HttpMethod, type JsonObject, type JsonValue } from "@yagate/protocol";
import { bodyText } from "../request/body-text.ts";
import type { RenderedRequest, SecretOf } from "../request/port.ts";
import type { TextBudget } from "../request/request-limits.ts";
import { createRequestBudgets, withinRequestLimits } from "../request/request-limits.ts";
import { type HeaderTemplate, parseHeaders, renderHeaders } from "./header-template.ts";
import { parseQueryParameters, type QueryParameter, renderQuery } from "./query-template.ts";
import type { TemplateReader } from "./template-reader.ts";
import type { TemplateValues } from "./template-values.ts";
import { assertSameRoute, parseUrl, renderUrlStart, type UrlTemplate } from "./url-template.ts";
import { renderValue, type ValueTemplate } from "./value-template.ts";

/** The primitives whose arguments describe a request. */
export type RequestPrimitive = "http_request" | "webhook";

/** A parsed request with placeholders. */
export interface RequestParts {
  readonly method: HttpMethod;
  readonly url: UrlTemplate;
  readonly headers: readonly HeaderTemplate[];
  readonly query: readonly QueryParameter[];
  readonly body: ValueTemplate | undefined;
}

const ARGUMENTS: Readonly<Record<RequestPrimitive, readonly string[]>> = {
  http_request: ["method", "url", "headers", "query", "body"],
  webhook: ["url", "headers", "body"],
};

/**
 * Parses the arguments of a primitive as a request.
 * @returns undefined if they are not a valid request; the reader then contains the reasons.
 */
export function parseRequest(
  primitive: RequestPrimitive,
  args: JsonObject,
  path: string,
  reader: TemplateReader,
): RequestParts | undefined {
  for (const name of Object.keys(args).filter((name) => !ARGUMENTS[primitive].includes(name))) {
    const message = `expected one of ${ARGUMENTS[primitive].join(", ")}`;
    reader.refuse(`${path}.${name}`, "UNKNOWN_ARG", message);
  }
  const argument = (name: string) => (Object.hasOwn(args, name) ? args[name] : undefined);
  const method = primitive === "webhook" ? "POST" : parseMethod(argument("method"), `${path}.method`, reader);
  const target = argument("url");
  if (target === undefined) reader.refuse(`${path}.url`, "MISSING_ARG", "expected the URL of the request");
  const url = target === undefined ? undefined : parseUrl(target, `${path}.url`, reader);
  const headers = parseHeaders(argument("headers"), `${path}.headers`, reader);
  const query = primitive === "webhook" ? [] : parseQueryParameters(argument("query"), `${path}.query`, reader);
  const content = argument("body");
  const body = content === undefined ? undefined : reader.value(content, `${path}.body`);
  if (body !== undefined && method === "GET") {
    reader.refuse(`${path}.body`, "INVALID_ARG", "expected no body: a GET request has none");
  }
  return method === undefined || url === undefined ? undefined : { method, url, headers, query, body };
}

function parseMethod(value: JsonValue | undefined, path: string, reader: TemplateReader): HttpMethod | undefined {
  const method = HTTP_METHODS.find((known) => known === value);
  if (method !== undefined) return method;
  const known = HTTP_METHODS.join(", ");
  if (value === undefined) reader.refuse(path, "MISSING_ARG", `expected the request's method: ${known}`);
  else if (typeof value === "string" && value.includes("${")) {
    reader.refuse(path, "PLACEHOLDER_IN_METHOD", `expected a fixed method, without placeholders: ${known}`);
  } else reader.refuse(path, "INVALID_METHOD", `expected one of ${known}`);
  return undefined;
}

/**
 * Renders the request of a call.
 * @param parameters - plain JSON without member names that could modify a prototype.
 * @throws RenderError for arguments from which no valid request can be rendered.
 */
export function renderRequest(parts: RequestParts, parameters: JsonObject, secretOf: SecretOf): RenderedRequest {
  const budgets = createRequestBudgets();
  const within = (budget: TextBudget): TemplateValues => ({ parameters, secretOf, budget });
  const body = parts.body === undefined ? undefined : renderValue(parts.body, within(budgets.body));
  const request: RenderedRequest = {
    method: parts.method,
    url: renderUrl(parts, within(budgets.url)),
    headers: renderHeaders(parts.headers, within(budgets.headers)),
    ...defined({ body }),
  };
  const text = bodyText(request);
  withinRequestLimits(text === undefined ? request : { ...request, body: text });
  return request;
}

function renderUrl({ url, query: parameters }: RequestParts, values: TemplateValues): string {
  const query = renderQuery(url.query, parameters, values);
  const rendered = renderUrlStart(url, values) + (query === "" ? "" : `?${query}`);
  return assertSameRoute(rendered, url);
}
