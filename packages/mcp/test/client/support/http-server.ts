import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A request as a server received it. */
export interface Received {
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  /** The text of the body. */
  readonly body: string;
}

export interface HttpServer {
  readonly url: string;
  readonly requests: readonly Received[];
}

/** Starts a server that lives as long as the current test. */
export async function startHttpServer(
  respond: (request: Received, response: ServerResponse, message: IncomingMessage) => unknown,
): Promise<HttpServer> {
  const requests: Received[] = [];
  const server = createServer(async (message, response) => {
    const received = { method: message.method ?? "", headers: message.headers, body: await text(message) };
    requests.push(received);
    await respond(received, response, message);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests };
}

/** Responds with one JSON-RPC message. */
export function sendJson(response: ServerResponse, message: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(message));
}
