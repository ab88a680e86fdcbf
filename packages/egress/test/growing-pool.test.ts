import { describe, expect, it } from "vitest";
import { failureOf, get, testGuard } from "./support/guards.ts";
import { scriptedLookup } from "./support/scripted-lookup.ts";
import { startServer, startTcpServer } from "./support/servers.ts";

describe("a pool that grows", () => {
  it("asks again for each connection, and makes none to where the name leads by then", async () => {
    const held: (() => void)[] = [];
    const firstHeld = Promise.withResolvers<void>();
    const server = await startServer((_request, response) => {
      held.push(() => response.end("ok"));
      firstHeld.resolve();
    });
    const forbidden = await startServer((_request, response) => response.end("stolen"), {
      address: "127.0.0.2",
      port: server.port,
    });
    const resolver = scriptedLookup((_name, query) => (query === 1 ? ["127.0.0.1"] : ["127.0.0.2"]));
    const guard = testGuard({ lookup: resolver.lookup });
    const url = `http://allowed.test:${server.port}/`;
    const first = guard.request(get(url));
    await firstHeld.promise;
    // The one connection is taken, so each of these needs another one.
    const more = await Promise.all(Array.from({ length: 8 }, () => failureOf(guard.request(get(url)))));
    expect(new Set(more.map(({ code }) => code))).toEqual(new Set(["DNS_BLOCKED"]));
    expect(more.every(({ bytesMayHaveLeft }) => !bytesMayHaveLeft)).toBe(true);
    for (const answer of held) answer();
    expect(await first).toMatchObject({ status: 200, remoteAddress: "127.0.0.1" });
    // The judged connection is as good as before.
    const next = guard.request(get(url));
    while (held.length < 2) await new Promise(setImmediate);
    held[1]?.();
    expect(await next).toMatchObject({ status: 200 });
    expect(server.connections).toHaveLength(1);
    expect(forbidden.connections).toHaveLength(0);
  });
});

describe("a flood of headers", () => {
  it.each<[string, string, string]>([
    ["many short ones", "HTTP/1.1 200 OK\r\n", "a: b\r\n"],
    ["one long one", "HTTP/1.1 200 OK\r\nx: ", "y"],
    ["one long name", "HTTP/1.1 200 OK\r\n", "n"],
    ["trailers", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", "t: u\r\n"],
    ["interim answers with headers", "", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
  ])("ends the request early: %s", async (_name, start, piece) => {
    let written = 0;
    const server = await startTcpServer((socket) => {
      socket.once("data", () => {
        const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
        const more = () => {
          while (!socket.destroyed && written < 64 * 1024 * 1024) {
            written += bytes.byteLength;
            if (!socket.write(bytes)) return;
          }
        };
        socket.write(start);
        socket.on("drain", more);
        more();
      });
    });
    const failure = await failureOf(testGuard().request(get(`http://allowed.test:${server.port}/`)));
    expect(["RESPONSE_TOO_LARGE", "NETWORK_ERROR"]).toContain(failure.code);
    expect(failure.bytesMayHaveLeft).toBe(true);
    expect(written).toBeLessThan(24 * 1024 * 1024);
  });
});
