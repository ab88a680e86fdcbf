import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { YagateError } from "@yagate/protocol";

export interface HttpServerOptions {
  /** A client that sends its headers byte by byte must not hold a connection for ever; default 15 000. */
  readonly headersTimeoutMs?: number;
  /** From the first byte of a request to the last of its body; default 60 000. */
  readonly requestTimeoutMs?: number;
  /** How often the two are looked at; default 5 000. */
  readonly timeoutCheckMs?: number;
  /** How long requests that are being answered may take to end once the server closes; default 1 000. */
  readonly closeGraceMs?: number;
}

/** Longer than load balancers keep idle connections, so that no request is sent into one that is being closed. */
const KEEP_ALIVE_MS = 75_000;

export interface HttpServer {
  /** @throws YagateError `CONFLICT` when the port is taken, `INVALID_REQUEST` when the host can't be listened on. */
  listen(host: string, port: number): Promise<{ readonly url: string; readonly address: AddressInfo }>;
  /** Takes nothing new, ends streams, lets the other answers be given, and closes every connection. */
  close(): Promise<void>;
}

/** @param createListener - is given the signal that ends what only waits. */
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
 * Knows which connections have nothing to answer. Node's own `closeIdleConnections` leaves those on which nothing was
 * asked yet, which clients open in advance, and cuts off answers that are still being sent.
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
    return new YagateError("CONFLICT", `port ${port} on ${host} is taken by another process`, {
      hint: "choose another port (YAGATE_PORT, or --port of yagate dev), or 0 for a free one",
      cause: error,
    });
  }
  return new YagateError("INVALID_REQUEST", `can't listen on ${host}:${port} (${error.code ?? error.message})`, {
    hint: "check YAGATE_HOST and the port (YAGATE_PORT, or --port of yagate dev)",
    cause: error,
  });
}
