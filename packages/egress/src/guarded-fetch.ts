import { STATUS_CODES } from "@yagate/lib/http/node-http";
import type { Timings } from "@yagate/protocol";
import type { ConnectionPool } from "./connection-pool.ts";
import { Exchange, type ExchangeOwner, type ResponseHeaders } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import type { EgressLimits } from "./policy.ts";
import { isForbiddenHeader, toHeaderList } from "./request-headers.ts";
import { contentCodingOf } from "./response-body.ts";

const BUFFERED_BYTES = 64 * 1024;
const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Watches one request. */
export interface RequestWatch {
  /**
   * Called synchronously, immediately before the request is written. If it throws, nothing is sent, and the request
   * rejects with that error.
   */
  readonly beforeSend?: () => void;
  /** Called once, with the durations of the request's steps, when the request has ended. */
  readonly onTimings?: (timings: Timings) => void;
}

/** A `fetch` whose callers can watch each request. */
export type GroupFetch = (input: string | URL, init?: RequestInit, watch?: RequestWatch) => Promise<Response>;

/**
 * Creates a `fetch` that uses the guard's connections, for libraries that need one.
 *
 * It differs from the standard: it never follows redirects (with `redirect: "error"`, it rejects them; otherwise, it
 * returns them as responses), it rejects encoded responses, it reads the body of a request before sending it, and it
 * rejects with an EgressError if a request is blocked or fails. If the request is aborted, it rejects with the signal's
 * reason, as usual.
 *
 * @param group - the requests share connections only with others of this group.
 */
export function createGuardedFetch(
  gate: Gate,
  pool: ConnectionPool,
  limits: EgressLimits,
  group?: string,
): (input: Parameters<typeof fetch>[0], init?: RequestInit, watch?: RequestWatch) => Promise<Response> {
  return async (input, init, watch = {}) => {
    // Checked before a Request is created, because the error that its constructor throws would contain a password in
    // the URL.
    const destination = gate.parse(typeof input === "object" && "url" in input ? input.url : String(input));
    const request = new Request(input, init);
    const headers = toHeaderList(Object.fromEntries([...request.headers].filter(([name]) => !isForbiddenHeader(name))));
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    request.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const owner = new StreamedAnswer({ request, limits, watch, resolve, reject });
      const { fetchIdleMs: idleTimeoutMs, fetchResponseBytes: maxBodyBytes } = limits;
      const parts = { destination, method: request.method, headers, body, maxBodyBytes, idleTimeoutMs, group };
      owner.start(new Exchange(parts, owner), pool);
    });
  };
}

interface StreamedAnswerParts {
  readonly request: Request;
  readonly limits: EgressLimits;
  readonly watch: RequestWatch;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
}

/** Converts an exchange to a Response. The body is received only as fast as it is read. */
class StreamedAnswer implements ExchangeOwner {
  readonly #parts: StreamedAnswerParts;
  #exchange: Exchange | null = null;
  #stream: ReadableStreamDefaultController<Uint8Array> | null = null;
  #receivedBytes = 0;
  #unreadTimer: NodeJS.Timeout | undefined;

  constructor(parts: StreamedAnswerParts) {
    this.#parts = parts;
  }

  start(exchange: Exchange, pool: ConnectionPool): void {
    this.#exchange = exchange;
    this.#parts.request.signal.addEventListener("abort", this.#abort, { once: true });
    exchange.start(pool);
  }

  beforeSend(): void {
    this.#parts.watch.beforeSend?.();
  }

  onHead(status: number, headers: ResponseHeaders): void {
    if (contentCodingOf(headers) !== "identity") {
      this.#exchange?.fail(
        "INVALID_RESPONSE",
        "the response is encoded, which is not supported",
        "the response has a content-encoding",
      );
      return;
    }
    if (status >= 300 && status < 400 && status !== 304 && this.#parts.request.redirect === "error") {
      this.#exchange?.fail("REDIRECT_REFUSED", "the service responded with a redirect", `status ${status}`);
      return;
    }
    try {
      this.#parts.resolve(this.#toResponse(status, headers));
    } catch (error) {
      this.#exchange?.fail("INVALID_RESPONSE", "the response is not valid HTTP", `status ${status}`, error);
    }
  }

  onChunk(chunk: Uint8Array): void {
    const { fetchResponseBytes } = this.#parts.limits;
    this.#receivedBytes += chunk.byteLength;
    if (this.#receivedBytes > fetchResponseBytes) {
      const message = `the response exceeds ${fetchResponseBytes} bytes`;
      this.#exchange?.fail("RESPONSE_TOO_LARGE", message, "the body is over the limit");
      return;
    }
    this.#stream?.enqueue(chunk);
    if ((this.#stream?.desiredSize ?? 1) <= 0) {
      this.#pause();
    }
  }

  onEnd(): void {
    this.#exchange?.succeed();
    this.#release();
    this.#stream?.close();
  }

  onFailure(error: unknown): void {
    this.#release();
    this.#parts.reject(error);
    this.#stream?.error(error);
  }

  #toResponse(status: number, headers: ResponseHeaders): Response {
    const hasBody = !STATUSES_WITHOUT_BODY.has(status);
    const list = Object.entries(headers).flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : value).map((single): [string, string] => [name, single]),
    );
    const init = { status, statusText: STATUS_CODES[status] ?? "", headers: list };
    const response = new Response(hasBody ? this.#toStream() : null, init);
    // A Response that is created in code has no URL.
    return Object.defineProperty(response, "url", { value: this.#parts.request.url });
  }

  #toStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#stream = controller;
        },
        pull: () => this.#resume(),
        cancel: (reason) => {
          this.#stream = null;
          this.#exchange?.abandon(reason);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED_BYTES }),
    );
  }

  /**
   * Limits the time without a read. Otherwise, a response that is never read would keep its connection forever, because
   * undici's timer is paused.
   */
  #pause(): void {
    const giveUp = () => this.#exchange?.fail("TIMEOUT", "the response was not read in time", "the body was not read");
    this.#unreadTimer = setTimeout(giveUp, this.#parts.limits.fetchIdleMs).unref();
    this.#exchange?.pause();
  }

  #resume(): void {
    clearTimeout(this.#unreadTimer);
    this.#exchange?.resume();
  }

  readonly #abort = (): void => {
    this.#exchange?.abandon(this.#parts.request.signal.reason);
  };

  #release(): void {
    clearTimeout(this.#unreadTimer);
    if (this.#exchange !== null) this.#parts.watch.onTimings?.(this.#exchange.timings);
    this.#parts.request.signal.removeEventListener("abort", this.#abort);
  }
}
