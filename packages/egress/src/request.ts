import type { CancelSignal } from "@yagate/lib/async/cancellation";
import type { ConnectionPool } from "./connection-pool.ts";
import type { Destination } from "./destination.ts";
import { EgressError } from "./egress-error.ts";
import { Exchange, type ExchangeOwner, type ResponseHeaders } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import { LateResponse } from "./late-response.ts";
import type { EgressRequest, EgressResponse } from "./message.ts";
import { toHeaderList } from "./request-headers.ts";
import { BodyCollector, type ContentCoding, contentCodingOf, decodeBody } from "./response-body.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const ALLOWED_METHODS = `the method must be one of ${[...METHODS].join(", ")}`;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const TIMEOUT_RANGE = `timeoutMs must be from 1 to ${MAX_TIMEOUT_MS}`;

/** The gate of a policy, with the connections that were opened under that policy. */
export interface EgressRoute {
  readonly gate: Gate;
  readonly pool: ConnectionPool;
}

/**
 * Sends a request and reads the complete response. A redirect is returned like any other response.
 *
 * @throws EgressError, or the error that `beforeSend` or `onBytesSent` threw.
 */
export function sendRequest(route: EgressRoute, options: EgressRequest): Promise<EgressResponse> {
  // One promise for the whole exchange; what `start` throws rejects it.
  return new Promise((resolve, reject) => start(route, options, resolve, reject));
}

function start(
  { gate, pool }: EgressRoute,
  options: EgressRequest,
  resolve: (response: EgressResponse) => void,
  reject: (error: unknown) => void,
): void {
  const startedAt = performance.now();
  const { method, timeoutMs, maxResponseBytes, signal, unsentSignal } = options;
  requireArgument(METHODS.has(method), ALLOWED_METHODS);
  requireArgument(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS, TIMEOUT_RANGE);
  requireArgument(
    Number.isInteger(maxResponseBytes) && maxResponseBytes >= 0,
    "maxResponseBytes must be a whole number of at least 0",
  );
  // Checked first, because the error can suggest another host.
  options.approved?.check(options.url);
  const destination = gate.parse(options.url);
  const headers = toHeaderList(options.headers);
  if (signal?.aborted || unsentSignal?.aborted) {
    throw new EgressError("CANCELLED", "the request was cancelled", { reason: "cancelled before it started" });
  }
  new PendingRequest({ destination, headers, options, startedAt, resolve, reject }).start(pool);
}

function requireArgument(isMet: boolean, message: string): void {
  if (!isMet) {
    throw new EgressError("INVALID_ARGUMENTS", message, { reason: message });
  }
}

interface PendingRequestParts {
  readonly destination: Destination;
  /** Validated headers: names and values in turn. */
  readonly headers: string[];
  readonly options: EgressRequest;
  /** Time on the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly resolve: (response: EgressResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that waits for its complete response, its deadline, or the abort of its signal, whichever comes first. */
export class PendingRequest implements ExchangeOwner {
  readonly #parts: PendingRequestParts;
  readonly #exchange: Exchange;
  readonly #collector: BodyCollector;
  /** Set until the request is written. */
  #unsentSignal: CancelSignal | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #status = 0;
  #headers: ResponseHeaders = {};
  #coding: ContentCoding = "identity";
  #hasEnded = false;
  /** Receives a response that arrives after the request has timed out. */
  #late: LateResponse | undefined;

  constructor(parts: PendingRequestParts) {
    const { destination, headers, options } = parts;
    this.#parts = parts;
    this.#unsentSignal = options.unsentSignal;
    this.#collector = new BodyCollector(options.maxResponseBytes);
    this.#exchange = new Exchange(
      {
        destination,
        headers,
        method: options.method,
        body: options.body ?? null,
        maxBodyBytes: options.maxResponseBytes,
        group: options.group,
        onBytesSent: options.onBytesSent,
      },
      this,
    );
  }

  start(pool: ConnectionPool): void {
    const { signal, timeoutMs } = this.#parts.options;
    // Needed in addition to undici's timers, which do not run for a queued request.
    this.#deadline = setTimeout(() => this.#endInTime(), timeoutMs);
    signal?.addEventListener("abort", this.#cancel, { once: true });
    this.#unsentSignal?.addEventListener("abort", this.#cancel, { once: true });
    this.#exchange.start(pool);
  }

  beforeSend(): void {
    const { startedAt, options } = this.#parts;
    // The timer may fire late if the event loop was blocked.
    if (performance.now() - startedAt >= options.timeoutMs) {
      this.#endInTime();
      throw new Error("the deadline has passed");
    }
    options.beforeSend?.();
    this.#forgetUnsent();
  }

  onHead(status: number, headers: ResponseHeaders): void {
    if (this.#late !== undefined) return this.#late.onHead(status);
    this.#status = status;
    this.#headers = headers;
    this.#coding = contentCodingOf(headers);
    const { method, maxResponseBytes } = this.#parts.options;
    if (method !== "HEAD" && Number(headers["content-length"] ?? 0) > maxResponseBytes && !this.#mayCut) {
      this.#refuseSize();
    }
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#late !== undefined) return this.#late.onChunk(chunk);
    if (this.#coding === "unknown") {
      this.#exchange.fail(
        "INVALID_RESPONSE",
        "the response has an encoding that is not supported",
        "the content-encoding is unknown",
      );
    } else if (!this.#collector.push(chunk)) {
      if (this.#mayCut) this.#cut(chunk);
      else this.#refuseSize();
    }
  }

  onEnd(): void {
    if (this.#late !== undefined) return this.#late.onEnd();
    this.#hasEnded = true;
    const body = this.#collector.bytes();
    if (body.byteLength === 0 || this.#coding === "identity" || this.#coding === "unknown") {
      this.#finish(body);
      return;
    }
    decodeBody(body, this.#coding, this.#parts.options.maxResponseBytes).then(
      (decoded) => (decoded === undefined ? this.#refuseSize() : this.#finish(decoded)),
      (error: unknown) => {
        const message = "the response does not have the encoding that its headers state";
        this.#exchange.fail("INVALID_RESPONSE", message, `the body is not ${this.#coding}`, error);
      },
    );
  }

  onFailure(error: unknown): void {
    if (this.#late !== undefined) return this.#late.onFailure();
    this.#release();
    this.#parts.reject(error);
  }

  get #mayCut(): boolean {
    return this.#parts.options.onTooLarge === "cut" && this.#coding === "identity";
  }

  #cut(chunk: Uint8Array): void {
    this.#collector.push(chunk.subarray(0, this.#parts.options.maxResponseBytes - this.#collector.length));
    this.#finish(this.#collector.bytes(), true);
    this.#exchange.leave();
  }

  #finish(body: Uint8Array, isCut = false): void {
    if (!this.#exchange.succeed()) {
      return;
    }
    this.#release();
    const { destination } = this.#parts;
    const response: EgressResponse = {
      url: destination.origin + destination.path,
      status: this.#status,
      headers: this.#headers,
      body,
      isCut,
      remoteAddress: this.#exchange.remoteAddress ?? "",
      timings: this.#exchange.timings,
      durationMs: performance.now() - this.#parts.startedAt,
      requestBytes: this.#parts.options.body?.byteLength ?? 0,
      responseBytes: this.#collector.length,
    };
    // Undici frees the connection after this tick. Without the delay, a request that is sent immediately afterwards
    // would open a second connection.
    queueMicrotask(() => setImmediate(this.#parts.resolve, response));
  }

  #forgetUnsent(): void {
    this.#unsentSignal?.removeEventListener("abort", this.#cancel);
    this.#unsentSignal = undefined;
  }

  #endInTime(): void {
    const { options, startedAt, reject } = this.#parts;
    const message = `the service did not respond within ${options.timeoutMs} ms`;
    const reason = "the total deadline passed";
    // The response has arrived completely, but decoding it takes too long.
    const watch = this.#exchange.wasWritten && !this.#hasEnded ? options.onTimeout?.() : undefined;
    if (watch === undefined) {
      this.#exchange.fail("TIMEOUT", message, reason);
      return;
    }
    this.#release();
    reject(this.#exchange.errorOf("TIMEOUT", message, { reason }));
    this.#late = new LateResponse({
      exchange: this.#exchange,
      watch,
      startedAt,
      status: this.#status,
      receivedBytes: this.#collector.length,
      maxResponseBytes: options.maxResponseBytes,
      signal: options.signal,
    });
    this.#collector.drop();
  }

  #refuseSize(): void {
    const message = `the response exceeds ${this.#parts.options.maxResponseBytes} bytes`;
    this.#exchange.fail("RESPONSE_TOO_LARGE", message, "the body is over the limit");
  }

  readonly #cancel = (): void => {
    this.#exchange.fail("CANCELLED", "the request was cancelled", "cancelled by the caller");
  };

  #release(): void {
    clearTimeout(this.#deadline);
    this.#parts.options.signal?.removeEventListener("abort", this.#cancel);
    this.#forgetUnsent();
  }
}
