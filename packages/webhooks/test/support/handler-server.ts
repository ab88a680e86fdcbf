import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A call as it arrived, before anybody parsed it. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As written, in their order. */
  readonly headerNames: readonly string[];
  readonly body: Buffer;
}

export interface HandlerServer {
  readonly port: number;
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
}

/** What a handler answers; a body that is no text is sent as JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
}

/** Sends a reply whole. */
export function send(response: ServerResponse, { status = 200, headers = {}, body = "" }: Reply): void {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(isRaw ? body : JSON.stringify(body));
}

/** Starts a plain `node:http` handler that lives as long as the test. */
export async function startHandler(
  respond: (response: ServerResponse, call: ReceivedCall) => void | Promise<void>,
): Promise<HandlerServer> {
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      headerNames: request.rawHeaders.filter((_, index) => index % 2 === 0),
      body: Buffer.concat(chunks),
    };
    calls.push(call);
    await respond(response, call);
  });
  const port = await listen(server);
  return { port, url: `http://127.0.0.1:${port}/tools/lookup_order`, calls };
}

/** Starts a handler that answers every call with the same reply. */
export function startReplier(reply: Reply): Promise<HandlerServer> {
  return startHandler((response) => send(response, reply));
}

/** Starts a server that answers the first bytes of a request with whatever `serve` writes. */
export async function startRawHandler(serve: (socket: Socket) => void): Promise<{ url: string }> {
  const server = createTcpServer((socket) => {
    socket.once("data", () => serve(socket));
  });
  return { url: `http://127.0.0.1:${await listen(server)}/raw` };
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server);
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  return address.port;
}
