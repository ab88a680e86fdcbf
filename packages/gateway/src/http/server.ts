import type { RequestListener, Server } from "node:http";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { createServer } from "@yagate/lib/http/node-http";
import { YagateError } from "@yagate/protocol";

export interface HttpServerOptions {
  /**
   * Maximum time in ms to receive the request headers, so that a slow client cannot hold a connection forever; default
   * 15,000.
   */
  readonly headersTimeoutMs?: number;
  /** Maximum time in ms from the first byte of a request to the last byte of its body; default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Interval in ms at which both timeouts are checked; default 5,000. */
  readonly timeoutCheckMs?: number;
  /** Time in ms for which requests in flight may continue after the server starts to close; default 1,000. */
  readonly closeGraceMs?: number;
}

/**
 * Keep-alive time in ms, longer than load balancers keep idle connections, so that none of them sends a request into a
 * closing connection.
 */
const KEEP_ALIVE_MS = 75_000;

export interface HttpServer {
  /**
   * Starts listening.
   * @throws YagateError `CONFLICT` if the port is in use, `INVALID_REQUEST` if the server cannot listen on the host.
   */
  listen(host: string, port: number): Promise<{ readonly url: string; readonly address: AddressInfo }>;
  /** Stops accepting connections, ends streams, lets other responses finish, and closes every connection. */
  close(): Promise<void>;
}

/**
 * Creates an HTTP server that is not yet listening.
 *
 * @param createListener - receives the signal that ends streams and waiting requests.
 */
export function createHttpServer(
  createListener: (closing: AbortSignal) => RequestListener,
  options: HttpServerOptions = {},
): HttpServer {
  const {
    headersTimeoutMs = 15_000,
    requestTimeoutMs = 60_000,
    timeoutCheckMs = 5_000,
    closeGraceMs = 1_000,
  } = options;
  const closing = new AbortController();
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    createListener(closing.signal),
  );
  const connections = trackConnections(server);
  return {
    async listen(host, port) {
      await listening(server, host, port);
      const address = server.address() as AddressInfo;
      const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
      return { url: `http://${isIP(name) === 6 ? `[${name}]` : name}:${address.port}`, address };
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      closing.abort();
      connections.endIdle();
      const grace = setTimeout(() => server.closeAllConnections(), closeGraceMs);
      await closed;
      clearTimeout(grace);
    },
  };
}

/**
 * Tracks which connections have no request in flight. Node's own `closeIdleConnections` skips connections that have not
 * sent a request yet, which clients open in advance, and cuts off responses that are still being sent.
 */
function trackConnections(server: Server): { endIdle(): void } {
  const unanswered = new Map<Socket, number>();
  let isClosing = false;
  server.on("connection", (socket: Socket) => {
    unanswered.set(socket, 0);
    socket.once("close", () => unanswered.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (unanswered.get(socket) ?? 1) - 1;
      if (socket.destroyed) return;
      unanswered.set(socket, left);
      if (isClosing && left === 0) socket.destroySoon();
    });
  });
  return {
    endIdle() {
      isClosing = true;
      for (const [socket, count] of unanswered) if (count === 0) socket.destroySoon();
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port));
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      resolve();
    });
  });
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): YagateError {
  if (error.code === "EADDRINUSE") {
    return new YagateError("CONFLICT", `another process uses port ${port} on ${host}`, {
      hint: "choose another port (YAGATE_PORT, or --port of yagate dev), or 0 for a free one",
      cause: error,
    });
  }
  return new YagateError("INVALID_REQUEST", `cannot listen on ${host}:${port} (${error.code ?? error.message})`, {
    hint: "check YAGATE_HOST and the port (YAGATE_PORT, or --port of yagate dev)",
    cause: error,
  });
}
