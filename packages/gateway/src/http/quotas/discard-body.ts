import type { IncomingMessage } from "node:http";

/**
 * Reads and drops the rest of a rejected body, up to `maxBytes`, so that the client can finish sending and then read
 * the response.
 *
 * @returns false if the body is longer; the connection must then be closed.
 */
export function discardBody(request: IncomingMessage, maxBytes: number): Promise<boolean> {
  const { headers } = request;
  const length = Number(headers["content-length"] ?? 0);
  if (request.readableEnded || (length === 0 && headers["transfer-encoding"] === undefined)) {
    return Promise.resolve(true);
  }
  if (length > maxBytes) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) resolve(false);
  });
  request.once("end", () => resolve(true));
  request.once("close", () => resolve(false));
  return promise;
}
