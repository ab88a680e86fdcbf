import type { Readable } from "node:stream";
import type { CallHandler } from "../../../src/index.ts";
import type { Adapter, Message, Mounted, Reply } from "../adapter.ts";
import { mountServer } from "../mount-server.ts";

export const fetchAdapters: readonly Adapter[] = [
  { name: "Fetch behind a server", mount: (handler) => mountServer(serveFetch(handler)) },
  { name: "Fetch, called directly", mount: async (handler) => callDirectly(handler) },
];

/** What servers of the Fetch form do, in as few lines as a test needs. */
function serveFetch(handler: CallHandler): Parameters<typeof mountServer>[0] {
  return async (incoming, outgoing) => {
    const headers = new Headers();
    for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
      headers.append(incoming.rawHeaders[index] ?? "", incoming.rawHeaders[index + 1] ?? "");
    }
    const client = new AbortController();
    outgoing.on("close", () => client.abort());
    const method = incoming.method ?? "GET";
    const hasBody = method !== "GET" && method !== "HEAD";
    const body: RequestInit = hasBody ? { body: toWebStream(incoming), duplex: "half" } : {};
    const response = await handler(
      new Request("http://127.0.0.1/tools", { method, headers, signal: client.signal, ...body }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  };
}

function toWebStream(readable: Readable): ReadableStream<Uint8Array> {
  const chunks = readable.iterator({ destroyOnReturn: false });
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function callDirectly(handler: CallHandler): Mounted {
  const call = async (message: Message, options: RequestInit, body: ReadableStream<Uint8Array>): Promise<Reply> => {
    const method = message.method ?? "POST";
    const withBody: RequestInit = method === "GET" || method === "HEAD" ? {} : { body, duplex: "half" };
    const headers = message.headers.map(([name, value]): [string, string] => [name, value]);
    const response = await handler(
      new Request("https://handler.test/tools", { ...options, method, headers, ...withBody }),
    );
    return { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) };
  };
  return {
    send: (message) => call(message, {}, streamOf(message.chunks)),
    async sendAndLeave(message) {
      await call(message, {}, streamOf(message.chunks, new Error("the client has gone")));
    },
    async sendAndLeaveWhen(message, moment) {
      const client = new AbortController();
      const answered = call(message, { signal: client.signal }, streamOf(message.chunks));
      await moment;
      client.abort();
      await answered;
    },
    async close() {},
  };
}

function streamOf(chunks: readonly Uint8Array[], end?: Error): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = rest.shift();
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (end === undefined) controller.close();
      else controller.error(end);
    },
  });
}
