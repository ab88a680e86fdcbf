import { once } from "node:events";
import http from "node:http";
import type { Message, Mounted, Reply } from "./adapter.ts";

/** Serves a listener on a free port of this machine. */
export async function mountServer(listener: http.RequestListener): Promise<Mounted> {
  const server = http.createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  const { port } = address;
  return {
    send: (message) => send(port, message),
    async sendAndLeave(message) {
      const request = begin(port, { ...message, headers: [...message.headers, ["content-length", "1000"]] });
      for (const chunk of message.chunks) await new Promise((resolve) => request.write(chunk, resolve));
      await leave(request);
    },
    async sendAndLeaveWhen(message, moment) {
      const request = begin(port, message);
      for (const chunk of message.chunks) request.write(chunk);
      request.end();
      await moment;
      await leave(request);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function begin(port: number, { method = "POST", headers }: Message): http.ClientRequest {
  return http.request({
    port,
    host: "127.0.0.1",
    method,
    path: "/tools",
    headers: ["host", "127.0.0.1", ...headers.flat()],
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
async function send(port: number, message: Message): Promise<Reply> {
  const request = begin(port, message);
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
