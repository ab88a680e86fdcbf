import { YagateError } from "@yagate/protocol";
import type * as z from "zod";
import { ApiError } from "../errors/api-error.ts";
import { connectionFailed } from "../errors/connection-failed.ts";
import { incompatibleResponse } from "../errors/incompatible-response.ts";
import { toApiError } from "../errors/to-api-error.ts";
import type { Settings } from "../options.ts";
import type { Runtime } from "../runtime.ts";
import { Credential } from "./credential.ts";
import { discardBody } from "./discard-body.ts";
import { requireIdempotencyKey } from "./idempotency-key.ts";
import { linkAbort } from "./link-abort.ts";
import { parseResponse } from "./parse-response.ts";
import { isRepeatable, type RepeatPolicy, retryDelayMs } from "./retry-policy.ts";

/** One request to the API. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, which starts with `/v1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: a new key for each POST. Retries use the same key. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The failures after which the request is repeated. Default: `always`. */
  readonly repeat?: RepeatPolicy;
}

/**
 * A serialised request that can be sent repeatedly. Later changes to the objects from which it was created have no
 * effect.
 */
export interface PreparedRequest extends Omit<ApiRequest, "body"> {
  readonly bodyText: string | undefined;
}

/** A response whose body has not been read. */
export interface OpenAnswer {
  readonly response: Response;
  /** Closes the connection. */
  close(reason?: unknown): void;
  /**
   * Converts an error thrown while the body was read: to the reason why the connection was closed, or to an error
   * for a lost connection.
   */
  toFailure(error: unknown): unknown;
}

/** Sends requests: sets headers, applies timeouts, retries, and converts error responses. */
export class Transport {
  readonly runtime: Runtime;
  readonly origin: string;
  readonly maxRetries: number;
  // These are private fields of the language, so that logging a client never shows its key.
  readonly #settings: Settings;
  readonly #credential: Credential;

  constructor(settings: Settings, runtime: Runtime) {
    this.#settings = settings;
    this.#credential = new Credential(settings.apiKey);
    this.runtime = runtime;
    this.origin = settings.origin;
    this.maxRetries = settings.maxRetries;
  }

  /** Sends a request, retries it if that may help, and parses the JSON response. */
  json<T>(request: ApiRequest, schema: z.ZodType<T>): Promise<T> {
    return this.#repeat(request, (text) => parseResponse(text, schema, `${request.method} ${request.path}`));
  }

  /** Does the same as `json`, for text responses. */
  text(request: ApiRequest): Promise<string> {
    return this.#repeat({ ...request, headers: { ...request.headers, accept: "text/plain" } }, (text) => text);
  }

  /** Does the same as `json`, for responses without content. */
  async empty(request: ApiRequest): Promise<void> {
    await this.#repeat(request, () => undefined);
  }

  /**
   * Serialises a request.
   *
   * @throws YagateError `INVALID_REQUEST` if its body is not JSON or its idempotency key cannot be a header.
   */
  prepare({ body, ...request }: ApiRequest): PreparedRequest {
    const bodyText = body === undefined ? undefined : toJson(body);
    if (request.idempotencyKey !== undefined) requireIdempotencyKey(request.idempotencyKey);
    if (request.idempotencyKey !== undefined || request.method !== "POST") return { ...request, bodyText };
    return { ...request, bodyText, idempotencyKey: this.runtime.newIdempotencyKey() };
  }

  /**
   * Sends a request once and returns as soon as the response headers have arrived. The calling code must close the
   * connection.
   */
  async open(request: PreparedRequest): Promise<OpenAnswer> {
    const controller = new AbortController();
    const unlink = linkAbort(request.signal, controller);
    const stopTimer = this.#limitTime(controller);
    try {
      const response = await this.#fetch(request, controller.signal);
      return {
        response,
        close: (reason) => {
          unlink();
          controller.abort(reason);
        },
        toFailure: (error) => this.#toFailure(error, controller.signal),
      };
    } catch (error) {
      unlink();
      throw this.#toFailure(error, controller.signal);
    } finally {
      stopTimer();
    }
  }

  async #repeat<T>(request: ApiRequest, read: (text: string) => T): Promise<T> {
    const prepared = this.prepare(request);
    for (let retry = 1; ; retry += 1) {
      try {
        return await this.#once(prepared, read);
      } catch (error) {
        // An earlier attempt deleted the resource, but its response was lost.
        if (retry > 1 && request.method === "DELETE" && isNotFound(error)) return read("");
        if (retry > this.maxRetries || !isRepeatable(error, request.repeat ?? "always")) throw error;
        const delayMs = retryDelayMs(retry, error, this.runtime.random);
        if (delayMs === undefined) throw error;
        await this.runtime.sleep(delayMs, request.signal);
      }
    }
  }

  async #once<T>(request: PreparedRequest, read: (text: string) => T): Promise<T> {
    const controller = new AbortController();
    const unlink = linkAbort(request.signal, controller);
    const stopTimer = this.#limitTime(controller);
    try {
      const response = await this.#fetch(request, controller.signal);
      return read(await response.text());
    } catch (error) {
      throw this.#toFailure(error, controller.signal);
    } finally {
      stopTimer();
      unlink();
    }
  }

  async #fetch(request: PreparedRequest, signal: AbortSignal): Promise<Response> {
    const apiKey = await this.#credential.get(signal);
    const response = await this.#send(request, apiKey, signal);
    if (response.status !== 401 || !this.#credential.refuse(apiKey)) return this.#check(response);
    discardBody(response);
    return this.#check(await this.#send(request, await this.#credential.get(signal), signal));
  }

  #send(request: PreparedRequest, apiKey: string, signal: AbortSignal): Promise<Response> {
    return this.#settings.fetch(this.#url(request), {
      method: request.method,
      headers: this.#headers(request, apiKey),
      // Following a redirect could turn a POST into a GET, or send the body to a third party.
      redirect: "manual",
      signal,
      ...(request.bodyText === undefined ? {} : { body: request.bodyText }),
    });
  }

  async #check(response: Response): Promise<Response> {
    if (response.ok) return response;
    if (response.status < 400) {
      throw incompatibleResponse(`expected a gateway at ${this.origin}, but the response is a redirect`);
    }
    throw await toApiError(response, { origin: this.origin, nowMs: this.runtime.now() });
  }

  #url({ path, query = {} }: PreparedRequest): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, `${value}`);
    return `${this.#settings.baseUrl}${path}${search.size === 0 ? "" : `?${search}`}`;
  }

  #headers(request: PreparedRequest, apiKey: string): Headers {
    const headers = new Headers(this.#settings.headers);
    headers.set("accept", "application/json");
    headers.set("authorization", `Bearer ${apiKey}`);
    if (request.bodyText !== undefined) headers.set("content-type", "application/json");
    if (request.idempotencyKey !== undefined) headers.set("idempotency-key", request.idempotencyKey);
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
    return headers;
  }

  #limitTime(controller: AbortController): () => void {
    const { timeoutMs } = this.#settings;
    return this.runtime.after(timeoutMs, () =>
      controller.abort(connectionFailed(`no response within ${timeoutMs} ms from`, this.origin)),
    );
  }

  // Runtimes reject an aborted fetch with different errors; the signal's reason is the same everywhere.
  #toFailure(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    return YagateError.is(error) ? error : connectionFailed("no response from", this.origin, error);
  }
}

function isNotFound(error: unknown): boolean {
  return ApiError.is(error) && error.status === 404;
}

function toJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new YagateError("INVALID_REQUEST", "expected values that can be written as JSON", { cause });
  }
}
