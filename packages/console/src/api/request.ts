import { isJsonObject } from "@yagate/lib/json/json-object";
import { noteReachable } from "../live/reachable.ts";
import { ApiError, type RefusedField } from "./api-error.ts";

/** The gateway's own address: the page is at `console/` below it. */
export const gatewayUrl = new URL("../", document.baseURI);

const TIMEOUT_MS = 30_000;

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the address of a request. Absent values of the query are left out. */
export function toUrl(path: string, query: RequestOptions["query"] = {}): URL {
  const url = new URL(path, gatewayUrl);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/**
 * Sends a request to the gateway; the session's cookie goes with it.
 *
 * @param path - relative to the gateway, such as `v1/executions`.
 * @throws ApiError.
 */
export async function request<Result>(path: string, options: RequestOptions = {}): Promise<Result> {
  const { method = "GET", body, query, signal } = options;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(toUrl(path, query), {
    method,
    credentials: "same-origin",
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    noteReachable(false);
    throw timeout.aborted ? slow(error) : unreachable(error);
  });
  noteReachable(true);
  if (!response.ok) throw await toApiError(response);
  // The gateway's responses have the shapes of @yagate/protocol, whose types the callers name.
  return (response.status === 204 ? undefined : await response.json()) as Result;
}

const unreachable = (cause: unknown) =>
  new ApiError(
    {
      code: "UNREACHABLE",
      message: "The gateway cannot be reached.",
      hint: "Check that it is running and that you are online. Nothing was lost.",
      status: 0,
    },
    cause,
  );

const slow = (cause: unknown) =>
  new ApiError({ code: "TIMEOUT", message: "The gateway did not respond within 30 s.", status: 0 }, cause);

/** Returns what a response says that is not ok. */
export async function toApiError(response: Response): Promise<ApiError> {
  const requestId = response.headers.get("X-Request-Id") ?? undefined;
  const problem: unknown = await response.json().catch(() => undefined);
  const text = (name: string) => {
    const value = isJsonObject(problem) ? Reflect.get(problem, name) : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return new ApiError({
    code: text("code") ?? `HTTP_${response.status}`,
    message: text("detail") ?? `The gateway responded with status ${response.status}.`,
    hint: text("hint"),
    requestId: text("requestId") ?? requestId,
    fieldErrors: isJsonObject(problem) ? toFields(Reflect.get(problem, "errors")) : [],
    status: response.status,
  });
}

function toFields(errors: unknown): readonly RefusedField[] {
  if (!Array.isArray(errors)) return [];
  return errors.filter(isJsonObject).map((error) => ({
    path: String(Reflect.get(error, "path") ?? ""),
    message: String(Reflect.get(error, "message") ?? ""),
  }));
}
