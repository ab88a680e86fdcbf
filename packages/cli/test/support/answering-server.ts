import { createServer, type RequestListener } from "node:http";
import { freePort } from "../../../../test/services/free-port.ts";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";

/** A server on this machine in the place of a gateway; its URL. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return listenOnLoopback(server);
}

/** Where nothing listens. */
export async function unusedUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

/** A server that always answers the same. */
export function startAnswering(status: number, body: unknown): Promise<string> {
  return startServer((_request, response) => {
    const type = status < 400 ? "application/json" : "application/problem+json";
    response.writeHead(status, { "content-type": type }).end(JSON.stringify(body));
  });
}

/** An error as the API writes it. */
export function problem(status: number, code: string) {
  return { type: `urn:yagate:error:${code}`, title: code, status, detail: "so it is", code, requestId: "req_1" };
}
