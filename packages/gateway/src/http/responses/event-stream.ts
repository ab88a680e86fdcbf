import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { EncodedEvent } from "../../executions/streams/encoded-event.ts";

/** How often a stream on which nothing happens says that it is alive. */
export const DEFAULT_HEARTBEAT_MS = 15_000;
/** How long a browser waits before it connects again: not all at once after a gateway has stopped. */
const RECONNECT_MS = { least: 1_000, most: 4_000 } as const;

export interface EventStreamOptions {
  /** Aborted when the client has gone, or when the stream is to end before the execution does. */
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Asked before each event with its size in bytes; undefined: it is sent at once. */
  readonly waitForTurn?: (bytes: number) => Promise<void> | undefined;
}

/** Writes events as server-sent events until they end or the client goes. */
export async function writeEventStream(
  response: ServerResponse,
  events: AsyncIterable<EncodedEvent>,
  { signal, heartbeatMs, headers, waitForTurn }: EventStreamOptions,
): Promise<void> {
  response.writeHead(200, {
    ...headers,
    "Content-Type": "text/event-stream; charset=utf-8",
    // Proxies that buffer would hold back what is streamed.
    "X-Accel-Buffering": "no",
  });
  // HEAD asks what GET would answer, and must not wait for the end of an execution.
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  response.write(`retry: ${reconnectAfterMs()}\n\n`);
  const heartbeat = setInterval(() => {
    // A client that reads too slowly has enough to read.
    if (!response.writableNeedDrain) response.write(": still here\n\n");
  }, heartbeatMs);
  heartbeat.unref();
  try {
    for await (const { text, size } of events) {
      const turn = waitForTurn?.(size);
      if (turn !== undefined) await turn;
      // What is kept of an execution could be sent for long.
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
