import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

const read = (name: string) => readFileSync(new URL(`../certificates/${name}`, import.meta.url), "utf8");

/** The CA of the certificates below. */
export const TEST_CA = read("ca.pem");

const CERTIFICATES = {
  /** For allowed.test, hooks.test, public.test and 127.0.0.1. */
  service: read("service.pem"),
  other: read("other.pem"),
};

/** A server of one test, with a log of what reached it. */
export interface TestServer {
  readonly port: number;
  /** Request lines and hosts, such as `GET /a allowed.test`, in the order of arrival. */
  readonly requests: string[];
  /** In the order in which they were made. */
  readonly connections: Socket[];
  /** Names that clients sent in their TLS handshakes. */
  readonly serverNames: string[];
}

interface ServerOptions {
  /** Default plain HTTP. */
  readonly certificate?: keyof typeof CERTIFICATES;
  /** Default 127.0.0.1. */
  readonly address?: string;
  /** Default any free one. */
  readonly port?: number;
  /** How long an unused connection stays open; default 5,000. */
  readonly keepAliveMs?: number;
}

/** Starts an HTTP or HTTPS server that lives as long as the test. */
export async function startServer(listener: RequestListener, options: ServerOptions = {}): Promise<TestServer> {
  const requests: string[] = [];
  const serverNames: string[] = [];
  const logged: RequestListener = (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.host?.replace(/:\d+$/, "")}`);
    listener(request, response);
  };
  const server =
    options.certificate === undefined
      ? createHttpServer(logged)
      : createHttpsServer(
          {
            key: read("server-key.pem"),
            cert: CERTIFICATES[options.certificate],
            SNICallback: (name, done) => {
              serverNames.push(name);
              done(null);
            },
          },
          logged,
        );
  if (options.keepAliveMs !== undefined) server.keepAliveTimeout = options.keepAliveMs;
  server.on("tlsClientError", () => {});
  return { requests, serverNames, ...(await listen(server, options)) };
}

/** Starts a server that speaks whatever `serve` does. */
export async function startTcpServer(
  serve: (socket: Socket) => void,
  options: ServerOptions = {},
): Promise<TestServer> {
  return { requests: [], serverNames: [], ...(await listen(createTcpServer(serve), options)) };
}

async function listen(server: Server, options: ServerOptions): Promise<Pick<TestServer, "port" | "connections">> {
  const connections: Socket[] = [];
  server.prependListener("connection", (socket: Socket) => {
    connections.push(socket);
    socket.on("error", () => {});
  });
  server.listen(options.port ?? 0, options.address ?? "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of connections) {
      socket.destroy();
    }
    server.close();
  });
  return { port: portOf(server), connections };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("the server does not listen on a port");
  }
  return address.port;
}
