import { once } from "node:events";
import type { ServerResponse } from "node:http";

/**
 * Sends a `Response` to the client. Resolves when it is sent, or when the client has disconnected.
 *
 * @param signal - aborted when the client disconnects.
 */
export async function sendResponse(
  { status, headers, body }: Response,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  // A proxy that buffers the response would delay the events of a stream.
  response.writeHead(status, { ...Object.fromEntries(headers), "X-Accel-Buffering": "no" });
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      if (!response.write(part.value)) await once(response, "drain", { signal }).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  response.end();
}
