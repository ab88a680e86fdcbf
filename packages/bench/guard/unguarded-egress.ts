import { type Dispatcher, Pool } from "undici";
import type { EgressRequest, EgressResponse } from "../../egress/src/message.ts";
import type { SenderEgress } from "../dispatch/signed-sender.ts";

const CONNECTIONS = 256;
const NOTHING = new Uint8Array(0);

/**
 * The egress that a dispatcher needs, built on undici's `Pool.request` as most people use it: the response is collected
 * from a stream, and the deadline and the caller's signals are one `signal`. It has no policy for URLs, addresses and
 * headers, no size limits, no content codings and no late responses.
 */
export function createRequestEgress(url: string): SenderEgress {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  return {
    async request(options) {
      const startedAt = performance.now();
      const aborter = new AbortController();
      const abort = () => aborter.abort();
      const deadline = setTimeout(abort, options.timeoutMs);
      const signals = [options.signal, options.unsentSignal];
      for (const signal of signals) signal?.addEventListener("abort", abort, { once: true });
      try {
        options.beforeSend?.();
        const { method, headers, body = null } = options;
        const answered = pool.request({ path: pathname, method, headers, body, signal: aborter.signal });
        options.onBytesSent?.();
        const answer = await answered;
        const firstByte = performance.now() - startedAt;
        const bytes = new Uint8Array(await answer.body.arrayBuffer());
        return toResponse(options, { status: answer.statusCode, headers: answer.headers, bytes, startedAt, firstByte });
      } finally {
        clearTimeout(deadline);
        for (const signal of signals) signal?.removeEventListener("abort", abort);
      }
    },
    close: () => pool.close(),
  };
}

/**
 * The same with the least overhead in undici: its handler interface, and a timer for the deadline instead of signals.
 */
export function createDispatchEgress(url: string): SenderEgress {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  return {
    request: (options) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const deadline = setTimeout(() => reject(new Error("no answer in time")), options.timeoutMs);
        const chunks: Uint8Array[] = [];
        let status = 0;
        let headers: AnyHeaders = {};
        let firstByte = 0;
        const handler: Dispatcher.DispatchHandler = {
          onRequestStart: () => {
            options.beforeSend?.();
            options.onBytesSent?.();
          },
          onResponseStart: (_controller, statusCode, received) => {
            status = statusCode;
            headers = received;
            firstByte = performance.now() - startedAt;
          },
          onResponseData: (_controller, chunk) => {
            chunks.push(chunk);
          },
          onResponseEnd: () => {
            clearTimeout(deadline);
            const bytes = chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks);
            resolve(toResponse(options, { status, headers, bytes, startedAt, firstByte }));
          },
          onResponseError: (_controller, error) => {
            clearTimeout(deadline);
            reject(error);
          },
        };
        const { method, body = null } = options;
        pool.dispatch({ path: pathname, method, headers: { ...options.headers }, body }, handler);
      }),
    close: () => pool.close(),
  };
}

type AnyHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Answer {
  readonly status: number;
  readonly headers: AnyHeaders;
  readonly bytes: Uint8Array;
  readonly startedAt: number;
  readonly firstByte: number;
}

function toResponse(options: EgressRequest, { status, headers, bytes, startedAt, firstByte }: Answer): EgressResponse {
  const known: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) known[name] = value;
  }
  return {
    url: options.url,
    status,
    headers: known,
    body: bytes,
    isCut: false,
    remoteAddress: "127.0.0.1",
    timings: { dns: null, connect: null, tls: null, firstByte },
    durationMs: performance.now() - startedAt,
    requestBytes: options.body?.byteLength ?? 0,
    responseBytes: bytes.byteLength,
  };
}
