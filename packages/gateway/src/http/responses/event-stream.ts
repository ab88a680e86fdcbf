import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { EncodedEvent } from "../../executions/streams/event-cache.ts";
import { ReaderQueue, type ReadSubject } from "../../executions/streams/read-slots.ts";

/** Default interval of keep-alive comments in ms. */
export const DEFAULT_HEARTBEAT_MS = 15_000;
/**
 * Range of the time in ms that a browser waits before it reconnects. The time is random, so that clients do not all
 * reconnect at the same moment.
 */
const RECONNECT_MS = { least: 1_000, most: 4_000 } as const;

interface EventStreamOptions {
  /** Aborted when the client disconnects, or when the stream must end before the execution ends. */
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Called before each event with its size in bytes. If it returns undefined, the event is sent immediately; otherwise
   * it is sent when the promise resolves.
   */
  readonly waitToWrite?: (bytes: number) => Promise<void> | undefined;
}

/** Writes server-sent events until they end or the client disconnects. */
export async function writeEventStream(
  response: ServerResponse,
  events: AsyncIterable<Pick<EncodedEvent, "text" | "size">>,
  { signal, heartbeatMs, headers, waitToWrite }: EventStreamOptions,
): Promise<void> {
  response.writeHead(200, {
    ...headers,
    "Content-Type": "text/event-stream; charset=utf-8",
    // A proxy that buffers the response would delay the events.
    "X-Accel-Buffering": "no",
  });
  // A HEAD request must not wait for the end of an execution.
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  response.write(`retry: ${reconnectAfterMs()}\n\n`);
  const heartbeat = setInterval(() => {
    // No comment for a client that reads slowly: it still has unread data.
    if (!response.writableNeedDrain) response.write(": still here\n\n");
  }, heartbeatMs);
  heartbeat.unref();
  try {
    for await (const { text, size } of events) {
      const waiting = waitToWrite?.(size);
      if (waiting !== undefined) await waiting;
      // Sending the stored events of an execution can take a long time.
      if (signal.aborted) break;
      if (!response.write(text)) await once(response, "drain", { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
  }
  response.end();
}

function reconnectAfterMs(): number {
  return Math.round(RECONNECT_MS.least + Math.random() * (RECONNECT_MS.most - RECONNECT_MS.least));
}

/** Maximum bytes that all streams together write in one iteration of the event loop. */
const BYTES_PER_ITERATION = 2_097_152;
/** Minimum cost of writing an event, in bytes. */
const MIN_COST_BYTES = 16_384;

/** Limits the bytes that streams write per iteration of the event loop. Workspaces and their executions take turns. */
export class StreamPacer {
  readonly #waiting = new ReaderQueue<{ readonly cost: number; readonly resolve: () => void }>();
  #left = BYTES_PER_ITERATION;
  #nextIteration: NodeJS.Immediate | undefined;

  /**
   * Charges the cost of an event.
   * @returns undefined if the stream may write immediately; otherwise a promise that resolves when it may write or
   *   `signal` is aborted.
   */
  wait(subject: ReadSubject, bytes: number, signal: AbortSignal): Promise<void> | undefined {
    const cost = Math.max(bytes, MIN_COST_BYTES);
    if (signal.aborted) return undefined;
    this.#nextIteration ??= setImmediate(() => this.#beginIteration());
    if (this.#left > 0 && this.#waiting.isEmpty) {
      this.#left -= cost;
      return undefined;
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting.delete(subject, waiter);
        resolve();
      };
      const waiter = {
        cost,
        resolve() {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(subject, waiter);
    });
  }

  #beginIteration(): void {
    this.#nextIteration = undefined;
    this.#left = BYTES_PER_ITERATION;
    while (this.#left > 0) {
      const waiter = this.#waiting.take();
      if (waiter === undefined) return;
      this.#left -= waiter.cost;
      waiter.resolve();
    }
    this.#nextIteration = setImmediate(() => this.#beginIteration());
  }
}
