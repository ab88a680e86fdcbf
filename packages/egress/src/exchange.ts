import type { IncomingHttpHeaders } from "node:http";
import { ERROR_TABLE, type Timings } from "@yagate/protocol";
import type { Dispatcher } from "undici";
import type { ConnectionPool } from "./connection-pool.ts";
import type { Connection, ConnectionSlot } from "./connector.ts";
import type { Destination } from "./destination.ts";
import { EgressError, type EgressErrorCode, type EgressErrorDetails } from "./egress-error.ts";

/** A validated request. */
export interface CheckedRequest {
  readonly destination: Destination;
  readonly method: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Uint8Array | null;
  /**
   * Maximum size of the response's body in bytes, which the owner enforces. It also limits how many bytes may arrive
   * over the wire.
   */
  readonly maxBodyBytes: number;
  /**
   * The group whose connections the request may use. By default, the request shares one group with all other requests
   * without a group.
   */
  readonly group?: string | undefined;
  /**
   * How long the connection may be without data before the request fails, in ms. Applies in addition to the owner's
   * deadline.
   */
  readonly idleTimeoutMs?: number;
  readonly onBytesSent?: (() => void) | undefined;
}

/** Headers with names in lower case. The value is an array if a name occurs more than once. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Receives the response. Either `onEnd` or `onFailure` is called, and no method is called after `onFailure`. */
export interface ExchangeOwner {
  /** Called synchronously, immediately before the request is written. If it throws, the exchange fails with that error. */
  beforeSend?(): void;
  onHead(status: number, headers: ResponseHeaders): void;
  onChunk(chunk: Uint8Array): void;
  /** Called when the complete body has been read. The owner then ends the exchange with `succeed` or `fail`. */
  onEnd(): void;
  onFailure(error: unknown): void;
}

/** Maximum number of interim responses. A server that sends more only keeps the client busy. */
const MAX_INTERIM_ANSWERS = 32;

/** Maximum number of bytes on the wire per byte of the body. A body in chunks of one byte takes six times its size. */
const WIRE_BYTES_PER_BODY_BYTE = 8;
/** Maximum size of all heads of a response in bytes, including interim responses and trailers. */
const MAX_HEAD_BYTES = 1_048_576;

/** One request and its response, over any connection in the pool. The request is written at most once. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: CheckedRequest;
  readonly #owner: ExchangeOwner;
  readonly #startedAt = performance.now();
  #slot: ConnectionSlot | null = null;
  /** The connection to which the request was written; null until then. */
  #connection: Connection | null = null;
  #isFirstOnConnection = false;
  #sentAt = 0;
  #firstByteMs: number | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #interimAnswers = 0;
  /** Status of the final response; undefined until its head has been read. */
  #status: number | undefined;
  #isSettled = false;

  constructor(request: CheckedRequest, owner: ExchangeOwner) {
    this.#request = request;
    this.#owner = owner;
  }

  /** The peer's address; null until the request has been written. */
  get remoteAddress(): string | null {
    return this.#connection?.remoteAddress ?? null;
  }

  /** The durations of the completed steps in ms; null for the other steps. */
  get timings(): Timings {
    const own = this.#ownConnection();
    return {
      dns: own?.dnsMs ?? null,
      connect: own?.connectMs ?? null,
      tls: own?.tlsMs ?? null,
      firstByte: this.#firstByteMs,
    };
  }

  /** Whether the request was assigned to a connection. If so, the server may have received it. */
  get wasWritten(): boolean {
    return this.#connection !== null;
  }

  start(pool: ConnectionPool): void {
    const { destination, method, headers, body, idleTimeoutMs, group = "" } = this.#request;
    pool.dispatch(
      group,
      {
        origin: destination.origin,
        path: destination.path,
        method,
        headers,
        body,
        headersTimeout: idleTimeoutMs ?? null,
        bodyTimeout: idleTimeoutMs ?? null,
        onSlot: (slot) => {
          this.#slot = slot;
        },
      },
      this,
    );
  }

  /** Marks the exchange as done. Returns false if it has already failed. */
  succeed(): boolean {
    const isFirst = !this.#isSettled;
    this.#isSettled = true;
    return isFirst;
  }

  /** Closes the connection of an exchange that succeeded before its response was complete. */
  leave(): void {
    this.#controller?.abort(new Error("the rest of the response is not needed"));
  }

  /** Ends the exchange with an error, whatever the state of its connection. */
  fail(code: EgressErrorCode, message: string, reason: string, cause?: unknown): void {
    this.#end(this.errorOf(code, message, { reason, cause }));
  }

  /** Creates the error for this exchange, with the details that are known so far. */
  errorOf(
    code: EgressErrorCode,
    message: string,
    details: Pick<EgressErrorDetails, "reason" | "cause" | "isTemporary">,
  ): EgressError {
    const known = { bytesMayHaveLeft: this.wasWritten, answerStatus: this.#status, timings: this.timings };
    return new EgressError(code, message, { ...details, ...known });
  }

  /** Ends the exchange with this error, unchanged. */
  abandon(error: unknown): void {
    this.#end(error);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  /** Undici calls this synchronously before it writes the request. If it throws, no byte is sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled || this.#connection !== null) {
      throw new Error("this exchange is over");
    }
    try {
      this.#owner.beforeSend?.();
    } catch (error) {
      this.abandon(error);
      throw error;
    }
    const connection = this.#slot?.current ?? null;
    if (connection === null) {
      this.fail("NETWORK_ERROR", "the service could not be reached", "the connection does not belong to the guard");
      throw new Error("the connection does not belong to the guard");
    }
    this.#isFirstOnConnection = !connection.isUsed && connection.startedAt >= this.#startedAt;
    connection.isUsed = true;
    this.#connection = connection;
    this.#controller = controller;
    const mostBytes = MAX_HEAD_BYTES + this.#request.maxBodyBytes * WIRE_BYTES_PER_BODY_BYTE;
    connection.expectBytes(mostBytes, () =>
      this.fail("RESPONSE_TOO_LARGE", "the response exceeds the size limit", `more than ${mostBytes} bytes arrived`),
    );
    this.#sentAt = performance.now();
    if (this.#request.onBytesSent !== undefined) {
      queueMicrotask(() => this.#reportSent());
    }
  }

  onResponseStarted(): void {
    this.#firstByteMs ??= performance.now() - this.#sentAt;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isSettled) {
      return;
    }
    if (status >= 200) {
      this.#status = status;
      this.#owner.onHead(status, toResponseHeaders(headers));
      return;
    }
    this.#interimAnswers += 1;
    if (this.#interimAnswers > MAX_INTERIM_ANSWERS) {
      const reason = `more than ${MAX_INTERIM_ANSWERS} interim responses`;
      this.fail("NETWORK_ERROR", "the connection failed before the response was complete", reason);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (!this.#isSettled) {
      this.#owner.onChunk(chunk);
    }
  }

  onResponseEnd(): void {
    this.#connection?.becomeIdle();
    if (!this.#isSettled) {
      this.#owner.onEnd();
    }
  }

  onResponseError(_controller: unknown, error: unknown): void {
    const { code, message, reason, isTemporary } = toEgressFailure(error, this.wasWritten);
    this.#end(this.errorOf(code, message, { reason, isTemporary, cause: error }));
  }

  #end(error: unknown): void {
    if (this.#isSettled) {
      return;
    }
    this.#isSettled = true;
    this.#owner.onFailure(error);
    // The rest of the response is not read, so the connection cannot be reused.
    this.#controller?.abort(error instanceof Error ? error : new Error("the exchange failed"));
  }

  /**
   * Returns the connection that was opened, or is being opened, for this exchange; undefined if the exchange uses an
   * existing connection from the pool.
   */
  #ownConnection(): Connection | undefined {
    if (this.#connection !== null) {
      return this.#isFirstOnConnection ? this.#connection : undefined;
    }
    const connection = this.#slot?.current ?? null;
    const isOwn = connection !== null && !connection.isUsed && connection.startedAt >= this.#startedAt;
    return isOwn ? connection : undefined;
  }

  #reportSent(): void {
    try {
      this.#request.onBytesSent?.();
    } catch (error) {
      this.abandon(error);
    }
  }
}

function toResponseHeaders(headers: IncomingHttpHeaders): ResponseHeaders {
  const result: Record<string, string | readonly string[]> = Object.create(null);
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) {
      result[name] = value;
    }
  }
  return result;
}

/** How to report a raw error. */
interface EgressFailure {
  readonly code: EgressErrorCode;
  readonly message: string;
  readonly reason: string;
  readonly isTemporary: boolean;
}

const LOST = "the connection failed before the response was complete";

const MEANINGS: Readonly<Record<string, readonly [EgressErrorCode, string]>> = {
  UND_ERR_HEADERS_OVERFLOW: ["RESPONSE_TOO_LARGE", "the headers of the response exceed the size limit"],
  UND_ERR_HEADERS_TIMEOUT: ["TIMEOUT", "the service did not respond in time"],
  UND_ERR_BODY_TIMEOUT: ["TIMEOUT", "the service did not respond in time"],
  UND_ERR_INVALID_ARG: ["INVALID_ARGUMENTS", "the request is not valid HTTP"],
};

/**
 * Converts an error from undici, Node or the connector.
 *
 * @param wasWritten - whether the request was assigned to a connection.
 */
function toEgressFailure(error: unknown, wasWritten: boolean): EgressFailure {
  if (error instanceof EgressError) {
    return error;
  }
  const rawCode = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = `${rawCode}: ${error instanceof Error ? error.message : String(error)}`;
  const [code, message] = MEANINGS[rawCode] ?? [
    // A server that requires a client certificate reports this only after the first bytes have been sent.
    /^ERR_(?:SSL|TLS)_/.test(rawCode) ? "TLS_ERROR" : "NETWORK_ERROR",
    wasWritten ? LOST : "the service could not be reached",
  ];
  return { code, message, reason, isTemporary: ERROR_TABLE[code].isTransient };
}
