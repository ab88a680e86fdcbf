import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

/** A request as it came over a socket, which nothing but this file has read. */
export interface RawRequest {
  readonly toolCallId: string;
  /** Value of `X-YA-Signature`. */
  readonly signature: string;
  readonly body: Buffer;
  /** 1 for the first connection to the server. */
  readonly connection: number;
}

/** Answers one request with whatever it writes. */
export type Serve = (socket: Socket, request: RawRequest) => void;

export interface RawHandler {
  readonly url: string;
  readonly requests: readonly RawRequest[];
  readonly connections: number;
  /** Sockets that are still open. */
  readonly open: number;
  /** What was written to sockets so far. */
  readonly writtenBytes: number;
  close(): void;
}

/** A server that speaks no HTTP of its own: the first request gets what `serve` writes, later ones an honest answer. */
export async function startRawHandler(serve: Serve): Promise<RawHandler> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let closedBytes = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    const connection = ++connections;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      closedBytes += socket.bytesWritten;
      sockets.delete(socket);
    });
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const request = parse(received, connection);
      if (request === undefined) return;
      received = Buffer.alloc(0);
      requests.push(request);
      if (requests.length === 1) serve(socket, request);
      else if (socket.writable) socket.write(honest(request));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}/tools`,
    requests,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    get writtenBytes() {
      return [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, closedBytes);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** What an honest handler says: it names the call, so that an answer to another one is noticed. */
export function honest({ toolCallId }: RawRequest): string {
  return withLength(JSON.stringify({ result: `answer to ${toolCallId}` }));
}

/** A whole answer of HTTP/1.1. */
export function withLength(
  body: string | Buffer,
  head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n",
): string {
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Writes the same piece again and again, as fast as it is taken, until so many bytes are written or nobody listens. */
export function pour(socket: Socket, piece: Buffer, bytes = Number.POSITIVE_INFINITY, end = ""): void {
  let left = bytes;
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.byteLength;
      if (!socket.write(piece)) {
        socket.once("drain", more);
        return;
      }
    }
    if (!socket.destroyed) socket.end(end);
  };
  more();
}

/** Writes the same piece every so many ms, until nobody listens. */
export function drip(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on("close", () => clearInterval(timer));
}

function parse(received: Buffer, connection: number): RawRequest | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = received.subarray(0, end).toString("latin1");
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const body = received.subarray(end + 4, end + 4 + length);
  if (body.byteLength < length) return undefined;
  const signature = /^x-ya-signature: (.*)$/im.exec(head)?.[1] ?? "";
  const { toolCallId } = JSON.parse(body.toString());
  return { toolCallId, signature, body, connection };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  return address.port;
}
