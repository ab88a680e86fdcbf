import type { IncomingMessage } from "node:http";

/**
 * Reads what is left of a body that is not wanted, so that its sender sees the answer, up to a bound, so that nobody
 * can push bytes for ever.
 *
 * @returns false when there is more: then the connection has to be closed.
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
