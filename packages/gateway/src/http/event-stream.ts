import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { StreamEvent } from "@yagate/protocol";

const HEARTBEAT_MS = 15_000;
/** How long a browser waits before it connects again. */
const RECONNECT_MS = 1_000;

/** Writes events as server-sent events until they end or the client goes. */
export async function writeEventStream(
  response: ServerResponse,
  events: AsyncIterable<StreamEvent>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    // Proxies that buffer would hold back what is streamed.
    "x-accel-buffering": "no",
  });
  response.write(`retry: ${RECONNECT_MS}\n\n`);
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    for await (const event of events) {
      if (!response.write(toText(event))) await once(response, "drain", { signal });
    }
    response.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

function toText(event: StreamEvent): string {
  const data = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  return event.type === "text.delta" ? data : `id: ${event.seq}\n${data}`;
}
