import { once } from "node:events";
import http from "node:http";
import type { Message, Reachable, Reply } from "./adapter.ts";

/** Where a server of this machine listens, and at which path the handler is. */
export interface Endpoint {
  readonly port: number;
  readonly path: string;
}

/** Reaches a handler over real connections, one for each message. */
export function connectTo(endpoint: Endpoint): Reachable {
  return {
    send: (message) => send(endpoint, message),
    async sendAndLeave(message) {
      const request = begin(endpoint, { ...message, headers: [...message.headers, ["content-length", "1000"]] });
      for (const chunk of message.chunks) await new Promise((resolve) => request.write(chunk, resolve));
      await leave(request);
    },
    async sendAndLeaveWhen(message, moment) {
      const request = begin(endpoint, message);
      for (const chunk of message.chunks) request.write(chunk);
      request.end();
      await moment;
      await leave(request);
    },
  };
}

function begin({ port, path }: Endpoint, { method = "POST", headers }: Message): http.ClientRequest {
  return http.request({
    port,
    host: "127.0.0.1",
    method,
    path,
    // Kept open, as a gateway's connection is: with "close" some servers no longer notice that their client has left.
    headers: ["host", "127.0.0.1", "connection", "keep-alive", ...headers.flat()],
    agent: false,
  });
}

async function leave(request: http.ClientRequest): Promise<void> {
  const closed = new Promise((resolve) => request.on("close", resolve));
  request.on("error", () => {});
  request.destroy();
  await closed;
}

/** Without a content length each chunk is a chunk on the wire too, so that the server sees them one by one. */
async function send(endpoint: Endpoint, message: Message): Promise<Reply> {
  const request = begin(endpoint, message);
  const answered = once(request, "response");
  for (const chunk of message.chunks) request.write(chunk);
  request.end();
  const [response]: http.IncomingMessage[] = await answered;
  if (response === undefined) throw new Error("expected a response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}
