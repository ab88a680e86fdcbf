import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { failureOf, get, testGuard } from "./support/guards.ts";
import { startServer, startTcpServer } from "./support/servers.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** Writes the same piece until nobody takes it any more. */
function pour(socket: Socket, piece: string): void {
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on("drain", more);
  more();
}

describe("bytes that the parser says nothing of", () => {
  it.each<[string, string, string]>([
    ["blanks before the value of a header", "HTTP/1.1 200 OK\r\nx-a: ", " "],
    ["the reason in the status line", "HTTP/1.1 200 ", "O"],
    ["extensions of a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;", "x"],
    ["empty lines before the status line", "", "\r\n"],
  ])("are limited too: %s", async (_name, start, piece) => {
    let poured: Socket | undefined;
    const server = await startTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        poured = socket;
        socket.write(start);
        pour(socket, piece);
      });
    });
    const guard = testGuard();
    const failure = await failureOf(guard.request(get(`http://allowed.test:${server.port}/`)));
    expect(failure).toMatchObject({ code: "RESPONSE_TOO_LARGE", bytesMayHaveLeft: true });
    expect(poured?.bytesWritten).toBeLessThan(24_000_000);
  });

  it("leave room for a body that comes a byte a chunk", async () => {
    const body = "x".repeat(30_000);
    const chunks = Array.from(body, (byte) => `1\r\n${byte}\r\n`).join("");
    const server = await startTcpServer((socket) =>
      socket.on("data", () => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)),
    );
    const options = { maxResponseBytes: 30_000 };
    const answer = await testGuard().request(get(`http://allowed.test:${server.port}/`, options));
    expect(Buffer.from(answer.body).toString()).toBe(body);
  });
});

describe("bytes that come between two answers", () => {
  it.each([" ", "\r\n", OK])("close the connection: %j", async (bytes) => {
    const closed = Promise.withResolvers<void>();
    const sockets: Socket[] = [];
    const server = await startTcpServer((socket) => {
      sockets.push(socket);
      socket.on("close", () => closed.resolve());
      socket.on("data", () => socket.write(OK));
    });
    const guard = testGuard({ limits: { keepAliveMs: 60_000 } });
    await guard.request(get(`http://allowed.test:${server.port}/`));
    sockets[0]?.write(bytes);
    await closed.promise;
    expect((await guard.request(get(`http://allowed.test:${server.port}/`))).status).toBe(200);
    expect(sockets).toHaveLength(2);
  });

  it("are told apart from the tickets and records of TLS", async () => {
    const server = await startServer((_request, response) => response.end("ok"), { certificate: "service" });
    const guard = testGuard();
    for (let round = 0; round < 3; round += 1) {
      expect((await guard.request(get(`https://allowed.test:${server.port}/`))).status).toBe(200);
    }
    expect(server.connections).toHaveLength(1);
  });
});
