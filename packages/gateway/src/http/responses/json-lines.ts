import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { JSON_LINES_TYPE } from "@yagate/protocol";

/**
 * Writes values as JSON, one per line, no faster than the client reads. An error after the first page closes the
 * connection, so that the response does not look complete.
 *
 * @param pages - the values, page by page.
 * @param signal - aborted when the client disconnects.
 */
export async function writeJsonLines(
  response: ServerResponse,
  pages: AsyncIterable<readonly object[]>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const page of pages) {
      if (signal.aborted) break;
      // Sent only now, so that a failure before the first page becomes a problem response.
      if (!response.headersSent) response.writeHead(200, { "Content-Type": JSON_LINES_TYPE });
      const text = page.map((value) => `${JSON.stringify(value)}\n`).join("");
      if (text !== "" && !response.write(text)) await once(response, "drain", { signal });
      // Otherwise a fast store and a fast client would block the event loop.
      await yieldToEventLoop();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) response.destroy();
  else response.end();
}
