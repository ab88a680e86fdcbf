import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { JSON_LINES_TYPE } from "@yagate/protocol";

/**
 * Writes values, one JSON text a line, no faster than the client reads. An error in the middle cuts the connection, so
 * that what came does not look complete.
 *
 * @param pages - values as they are read, some at a time.
 * @param signal - aborted when the client has gone.
 */
export async function writeJsonLines(
  response: ServerResponse,
  pages: AsyncIterable<readonly object[]>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const page of pages) {
      if (signal.aborted) break;
      // Only now: what fails before the first page is answered as a problem.
      if (!response.headersSent) response.writeHead(200, { "Content-Type": JSON_LINES_TYPE });
      const text = page.map((value) => `${JSON.stringify(value)}\n`).join("");
      if (text !== "" && !response.write(text)) await once(response, "drain", { signal });
      // A store that answers in place and a client that reads fast would leave nobody else a turn.
      await yieldToEventLoop();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) response.destroy();
  else response.end();
}
