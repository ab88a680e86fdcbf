import { isObject } from "@yagate/lib/json/json-object";
import { YagateError } from "@yagate/protocol";
import { requireKnownOptions } from "./known-options.ts";

/** The part of `fetch` that the client uses. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** Returns an API key or an execution token. Called again after the gateway has rejected the last one. */
export type ApiKeyFunction = () => string | Promise<string>;

/** Options for {@link Yagate}. */
export interface YagateOptions {
  /**
   * The gateway's URL, such as `http://127.0.0.1:4820`; it may contain a path. Default: the environment variable
   * `YAGATE_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * An API key (`yk_…`), an execution token (`yt_…`), or a function that returns one of these. The function is called
   * before the first request, and once more for each request that is rejected with 401, so that it can renew a token.
   * If the function throws a {@link YagateError}, the request rejects with that error; after any other error, the
   * request is retried as if the connection had been lost. Default: the environment variable `YAGATE_API_KEY`.
   */
  readonly apiKey?: string | ApiKeyFunction | undefined;
  /** The function that sends the requests. Default: the global `fetch`. */
  readonly fetch?: FetchLike | undefined;
  /** Maximum number of retries of a request: 0 to 10, default 2. Reconnects of event streams have a separate limit. */
  readonly maxRetries?: number | undefined;
  /**
   * Time limit of one request in ms, until its response is complete; for event streams, until the response starts. Each
   * retry has the same limit. Default 60,000.
   */
  readonly timeoutMs?: number | undefined;
  /** Headers to send with every request. They cannot replace the headers that the client sets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Validated options, with defaults filled in. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The origin of `baseUrl`, which messages may contain. */
  readonly origin: string;
  readonly apiKey: string | ApiKeyFunction;
  readonly fetch: FetchLike;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

const OPTIONS = [
  "baseUrl",
  "apiKey",
  "fetch",
  "maxRetries",
  "timeoutMs",
  "headers",
] as const satisfies readonly (keyof YagateOptions)[];
const DEFAULT_MAX_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Validates options, and reads missing ones from environment variables, if the runtime has any.
 *
 * @throws {@link YagateError} `NOT_CONFIGURED` if the URL or the key is missing; `INVALID_REQUEST` if an option is
 *   invalid.
 */
export function resolveOptions(options: YagateOptions): Settings {
  requireKnownOptions(options, OPTIONS, "new Yagate");
  const baseUrl = parseBaseUrl(options.baseUrl ?? required("YAGATE_BASE_URL", "baseUrl"));
  return {
    baseUrl: baseUrl.href.replace(/\/+$/, ""),
    origin: baseUrl.origin,
    apiKey: parseApiKey(options.apiKey ?? required("YAGATE_API_KEY", "apiKey")),
    // `fetch` is looked up at each call, and called as a plain function, because browsers reject a `fetch` that is
    // detached from its window.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    maxRetries: parseInteger("maxRetries", options.maxRetries ?? DEFAULT_MAX_RETRIES, 0, 10),
    timeoutMs: parseInteger("timeoutMs", options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1, LONGEST_TIMER_MS),
    headers: parseHeaders(options.headers ?? {}),
  };
}

function required(variable: string, option: string): string {
  const value = readEnvironment(variable);
  if (value !== undefined && value !== "") return value;
  throw new YagateError("NOT_CONFIGURED", `expected the option ${option} or the environment variable ${variable}`, {
    hint: `pass ${option} to new Yagate({ … }) or set ${variable}`,
  });
}

// Read through Reflect: browsers and Workers have no `process`, and bundlers would replace a plain expression.
function readEnvironment(variable: string): string | undefined {
  try {
    const process: unknown = Reflect.get(globalThis, "process");
    const env: unknown = isObject(process) ? Reflect.get(process, "env") : undefined;
    const value: unknown = isObject(env) ? Reflect.get(env, variable) : undefined;
    return typeof value === "string" ? value : undefined;
  } catch {
    // Deno throws here without --allow-env; the variable then counts as not set.
    return undefined;
  }
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw invalid("expected baseUrl to be an http or https URL, such as http://127.0.0.1:4820");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalid("expected baseUrl without credentials, query or fragment");
  }
  return url;
}

function parseApiKey(apiKey: string | ApiKeyFunction): string | ApiKeyFunction {
  if (typeof apiKey === "function") return apiKey;
  return requireApiKey(apiKey, "expected apiKey to be a string, or a function that returns one");
}

/**
 * Checks a key before it becomes a header, because the error message of `fetch` for an invalid header would contain the
 * key.
 *
 * @param expected - the message for a value that is not a string.
 * @throws YagateError `INVALID_REQUEST` if the key is invalid.
 */
export function requireApiKey(apiKey: unknown, expected: string): string {
  if (typeof apiKey !== "string") throw invalid(expected);
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw invalid("expected apiKey without white space or special characters");
  return apiKey;
}

function parseHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw invalid("expected every name in headers to be a valid header name");
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw invalid(`expected the header ${name} to contain only printable ASCII`);
  }
  return headers;
}

function parseInteger(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(`expected ${option} to be a whole number from ${least} to ${most}`);
}

function invalid(message: string): YagateError {
  return new YagateError("INVALID_REQUEST", message, { hint: "correct the options of new Yagate({ … })" });
}
