import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { EncodedEvent } from "../../executions/streams/event-cache.ts";

/** Default interval of keep-alive comments in ms. */
export const DEFAULT_HEARTBEAT_MS = 15_000;
/**
 * Range of the time in ms that a browser waits before it reconnects. The time is random, so that clients do not all
 * reconnect at the same moment.
 */
const RECONNECT_MS = { least: 1_000, most: 4_000 } as const;

export interface EventStreamOptions {
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
