import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { YagateError } from "@yagate/protocol";
import type { Express } from "express";

// A client that sends its headers byte by byte must not hold a connection for ever.
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;

export interface HttpServer {
  /** @throws YagateError `CONFLICT` when the port is taken, `INVALID_REQUEST` when the host can't be listened on. */
  listen(host: string, port: number): Promise<{ readonly url: string }>;
  /** Ends open streams and connections. */
  close(): Promise<void>;
}

export function createHttpServer(app: Express): HttpServer {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }, app);
  return {
    async listen(host, port) {
      await listening(server, host, port);
      const { port: actual, family } = server.address() as AddressInfo;
      const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
      return { url: `http://${family === "IPv6" && name.includes(":") ? `[${name}]` : name}:${actual}` };
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
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
      hint: "choose another port with YAGATE_PORT, or 0 for a free one",
      cause: error,
    });
  }
  return new YagateError("INVALID_REQUEST", `can't listen on ${host}:${port} (${error.code ?? error.message})`, {
    hint: "check YAGATE_HOST and YAGATE_PORT",
    cause: error,
  });
}
