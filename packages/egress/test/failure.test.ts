import type { Socket } from "node:net";
import type { EgressError, EgressErrorCode, EgressGuard } from "@yagate/egress";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../test/services/free-port.ts";
import { failureOf, post, testGuard } from "./support/guards.ts";
import { scriptedLookup } from "./support/scripted-lookup.ts";
import { startServer, startTcpServer } from "./support/servers.ts";
import { stalledPort } from "./support/stalled-listener.ts";

/** Serves a connection with what follows the end of the request's headers and body (`{}`). */
function afterRequest(serve: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
      if (received.endsWith("\r\n\r\n{}")) {
        received = "";
        serve(socket);
      }
    });
  };
}

const HEAD = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n";

describe("a request that surely never left", () => {
  it("is one whose name does not exist", async () => {
    const guard = testGuard({ lookup: scriptedLookup(() => ({ error: "ENOTFOUND" })).lookup });
    expect(await failureOf(guard.request(post("https://allowed.test/")))).toMatchObject({
      code: "DNS_BLOCKED",
      bytesMayHaveLeft: false,
      isTemporary: false,
      timings: { dns: null, connect: null, tls: null, firstByte: null },
    });
  });

  it.each(["EAI_AGAIN", "ESERVFAIL", "ETIMEOUT"])("is one whose name server failed with %s, for now", async (error) => {
    const guard = testGuard({ lookup: scriptedLookup(() => ({ error })).lookup });
    expect(await failureOf(guard.request(post("https://allowed.test/")))).toMatchObject({
      code: "DNS_BLOCKED",
      bytesMayHaveLeft: false,
      isTemporary: true,
    });
  });

  it("is one whose name server is silent for too long", async () => {
    const { lookup } = scriptedLookup(() => "silence");
    const guard = testGuard({ lookup, limits: { dnsTimeoutMs: 30 } });
    expect(await failureOf(guard.request(post("https://allowed.test/")))).toMatchObject({
      code: "DNS_BLOCKED",
      bytesMayHaveLeft: false,
      isTemporary: true,
    });
  });

  it("is one whose deadline passes during DNS", async () => {
    const guard = testGuard({ lookup: scriptedLookup(() => "silence").lookup, limits: { dnsTimeoutMs: 200 } });
    expect(await failureOf(guard.request(post("https://allowed.test/", { timeoutMs: 30 })))).toMatchObject({
      code: "TIMEOUT",
      bytesMayHaveLeft: false,
      timings: { dns: null },
    });
  });

  it("is one that is refused by the port", async () => {
    const port = await freePort();
    const failure = await failureOf(testGuard().request(post(`http://allowed.test:${port}/`)));
    expect(failure).toMatchObject({
      code: "NETWORK_ERROR",
      bytesMayHaveLeft: false,
      isTemporary: true,
      timings: { dns: expect.any(Number), connect: null },
    });
    expect(failure.reason).toContain("ECONNREFUSED");
  });

  it("is one whose deadline passes while TCP connects", async () => {
    const port = await stalledPort();
    const guard = testGuard({ limits: { connectTimeoutMs: 10_000 } });
    const failure = await failureOf(guard.request(post(`http://allowed.test:${port}/`, { timeoutMs: 100 })));
    expect(failure).toMatchObject({
      code: "TIMEOUT",
      bytesMayHaveLeft: false,
      timings: { dns: expect.any(Number), connect: null },
    });
  });

  it("is one for which TCP does not connect in time", async () => {
    const port = await stalledPort();
    const guard = testGuard({ limits: { connectTimeoutMs: 100 } });
    expect(await failureOf(guard.request(post(`http://allowed.test:${port}/`)))).toMatchObject({
      code: "NETWORK_ERROR",
      bytesMayHaveLeft: false,
    });
  });

  it("is one whose deadline passes during the TLS handshake", async () => {
    const server = await startTcpServer((socket) => socket.resume());
    const guard = testGuard({ limits: { connectTimeoutMs: 10_000 } });
    const failure = await failureOf(guard.request(post(`https://allowed.test:${server.port}/`, { timeoutMs: 1_000 })));
    expect(failure).toMatchObject({
      code: "TIMEOUT",
      bytesMayHaveLeft: false,
      timings: { connect: expect.any(Number), tls: null },
    });
  });

  it("is one for which the TLS handshake takes too long", async () => {
    const server = await startTcpServer((socket) => socket.resume());
    const guard = testGuard({ limits: { connectTimeoutMs: 100 } });
    expect(await failureOf(guard.request(post(`https://allowed.test:${server.port}/`)))).toMatchObject({
      code: "NETWORK_ERROR",
      bytesMayHaveLeft: false,
    });
  });

  it.each<[string, (socket: Socket) => void, EgressErrorCode]>([
    ["is reset", (socket) => socket.once("data", () => socket.resetAndDestroy()), "NETWORK_ERROR"],
    ["is closed", (socket) => socket.once("data", () => socket.end()), "NETWORK_ERROR"],
    [
      "is answered in plain text",
      (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 no\r\n\r\n")),
      "TLS_ERROR",
    ],
  ])("is one whose TLS handshake %s", async (_name, serve, code) => {
    const server = await startTcpServer(serve);
    expect(await failureOf(testGuard().request(post(`https://allowed.test:${server.port}/`)))).toMatchObject({
      code,
      bytesMayHaveLeft: false,
      timings: { connect: expect.any(Number), tls: null },
    });
  });

  it("is one whose certificate is of an unknown authority", async () => {
    const server = await startServer((_request, response) => response.end(), { certificate: "service" });
    const guard = testGuard({ ca: [] });
    expect(await failureOf(guard.request(post(`https://allowed.test:${server.port}/`)))).toMatchObject({
      code: "TLS_ERROR",
      bytesMayHaveLeft: false,
      isTemporary: false,
    });
    expect(server.requests).toEqual([]);
  });

  it("is one whose certificate is wrong at the first of two addresses", async () => {
    const wrong = await startServer((_request, response) => response.end(), { certificate: "other" });
    const right = await startServer((_request, response) => response.end(), {
      certificate: "service",
      address: "127.0.0.2",
      port: wrong.port,
    });
    const { lookup } = scriptedLookup(() => ["127.0.0.1", "127.0.0.2"]);
    const guard = testGuard({ lookup, allowCidrs: ["127.0.0.0/8"] });
    expect(await failureOf(guard.request(post(`https://allowed.test:${wrong.port}/`)))).toMatchObject({
      code: "TLS_ERROR",
    });
    expect(right.connections).toHaveLength(0);
  });

  it("is one that waits for a connection until its deadline", async () => {
    const server = await startTcpServer((socket) => socket.resume());
    const guard = testGuard({ limits: { connectionsPerOrigin: 1 } });
    const url = `http://allowed.test:${server.port}/`;
    const holder = failureOf(guard.request(post(url, { timeoutMs: 1_000 })));
    const waiting = failureOf(guard.request(post(url, { timeoutMs: 50 })));
    expect(await waiting).toMatchObject({ code: "TIMEOUT", bytesMayHaveLeft: false });
    expect(await holder).toMatchObject({ code: "TIMEOUT", bytesMayHaveLeft: true });
  });

  it.each<[string, (guard: EgressGuard, url: string) => Promise<EgressError>]>([
    ["before it began", (guard, url) => failureOf(guard.request(post(url, { signal: AbortSignal.abort() })))],
    [
      "while it connects",
      (guard, url) => {
        const controller = new AbortController();
        const failure = failureOf(guard.request(post(url, { signal: controller.signal })));
        controller.abort();
        return failure;
      },
    ],
  ])("is one that was cancelled %s", async (_name, run) => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    expect(await run(guard, url)).toMatchObject({ code: "CANCELLED", bytesMayHaveLeft: false });
    // What comes later does not send the cancelled one after all.
    await guard.request(post(`${url}next`));
    expect(server.requests).toEqual(["POST /next allowed.test"]);
  });

  it("is one of a guard that is closed", async () => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard();
    await guard.close();
    expect(await failureOf(guard.request(post(`http://allowed.test:${server.port}/`)))).toMatchObject({
      code: "NETWORK_ERROR",
      bytesMayHaveLeft: false,
    });
    expect(server.connections).toHaveLength(0);
  });
});

describe("a request that may have arrived", () => {
  it.each<[string, (socket: Socket) => void]>([
    ["is reset", (socket) => socket.resetAndDestroy()],
    ["is closed without an answer", (socket) => socket.end()],
    ["is answered with something else", (socket) => socket.end("hello\r\n\r\n")],
    ["is answered with half a head", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-")],
    ["is reset within the body", (socket) => socket.write(`${HEAD}12345`, () => socket.resetAndDestroy())],
    ["ends before the announced length", (socket) => socket.end(`${HEAD}12345`)],
    ["ends within a chunk", (socket) => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n12345")],
    [
      "is switched to another protocol",
      (socket) => socket.write("HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
    ["is told to continue", (socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\n")],
  ])("is one whose connection %s", async (_name, serve) => {
    const server = await startTcpServer(afterRequest(serve));
    const failure = await failureOf(testGuard().request(post(`http://allowed.test:${server.port}/`)));
    expect(failure).toMatchObject({
      code: "NETWORK_ERROR",
      bytesMayHaveLeft: true,
      timings: { dns: expect.any(Number), connect: expect.any(Number) },
    });
    expect(server.connections).toHaveLength(1);
  });

  it("is one whose open connection is reset when it comes, and it is not sent again", async () => {
    let answered = 0;
    const server = await startTcpServer(
      afterRequest((socket) => {
        answered += 1;
        if (answered === 1) {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        } else {
          socket.resetAndDestroy();
        }
      }),
    );
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    await guard.request(post(url));
    expect(await failureOf(guard.request(post(url)))).toMatchObject({
      code: "NETWORK_ERROR",
      bytesMayHaveLeft: true,
      timings: { dns: null, connect: null },
    });
    expect(answered).toBe(2);
    expect(server.connections).toHaveLength(1);
  });

  it("is one whose deadline passes before the answer", async () => {
    const server = await startTcpServer((socket) => socket.resume());
    const failure = await failureOf(
      testGuard().request(post(`http://allowed.test:${server.port}/`, { timeoutMs: 1_000 })),
    );
    expect(failure).toMatchObject({ code: "TIMEOUT", bytesMayHaveLeft: true, timings: { firstByte: null } });
  });

  it("is one whose deadline passes within the answer, which costs the connection", async () => {
    const server = await startTcpServer(afterRequest((socket) => socket.write(`${HEAD}12345`)));
    const failure = await failureOf(
      testGuard().request(post(`http://allowed.test:${server.port}/`, { timeoutMs: 1_000 })),
    );
    expect(failure).toMatchObject({
      code: "TIMEOUT",
      bytesMayHaveLeft: true,
      timings: { firstByte: expect.any(Number) },
    });
    const [connection] = server.connections;
    if (connection?.closed === false) {
      await new Promise((resolve) => connection.once("close", resolve));
    }
  });

  it("is one that was cancelled after it was written", async () => {
    const server = await startTcpServer((socket) => socket.resume());
    const controller = new AbortController();
    const failure = await failureOf(
      testGuard().request(
        post(`http://allowed.test:${server.port}/`, {
          signal: controller.signal,
          onBytesSent: () => controller.abort(),
        }),
      ),
    );
    expect(failure).toMatchObject({ code: "CANCELLED", bytesMayHaveLeft: true });
  });

  it("is one that was under way when the guard was closed", async () => {
    const server = await startTcpServer((socket) => socket.resume());
    const guard = testGuard();
    let failure: Promise<EgressError> | undefined;
    await new Promise<void>((resolve) => {
      const request = post(`http://allowed.test:${server.port}/`, { onBytesSent: resolve });
      failure = failureOf(guard.request(request));
    });
    await guard.close();
    expect(await failure).toMatchObject({ code: "NETWORK_ERROR", bytesMayHaveLeft: true });
  });
});

describe("a connection that is reset as soon as it is made", () => {
  it("fails the request once, which may have left only if it was written", async () => {
    const server = await startTcpServer((socket) => socket.resetAndDestroy());
    let wasWritten = false;
    const request = post(`http://allowed.test:${server.port}/`, {
      beforeSend: () => {
        wasWritten = true;
      },
    });
    const failure = await failureOf(testGuard().request(request));
    // Which of the two happens is a race that the kernel decides.
    expect(failure).toMatchObject({ code: "NETWORK_ERROR", bytesMayHaveLeft: wasWritten });
    expect(server.connections).toHaveLength(1);
  });
});

describe("a connection that the server closed in the meantime", () => {
  it("is replaced, and the request arrives once", async () => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    await guard.request(post(`${url}1`));
    const closed = new Promise((resolve) => server.connections[0]?.once("close", resolve));
    server.connections[0]?.end();
    await closed;
    expect(await guard.request(post(`${url}2`))).toMatchObject({ status: 200 });
    expect(server.requests).toEqual(["POST /1 allowed.test", "POST /2 allowed.test"]);
    expect(server.connections).toHaveLength(2);
  });
});

describe("a host with several addresses", () => {
  it("is reached at the next one when one refuses, up to the third", async () => {
    const server = await startServer((_request, response) => response.end(), { address: "127.0.0.3" });
    const answers = ["127.0.0.4", "127.0.0.5", "127.0.0.3", "127.0.0.6"];
    const { lookup } = scriptedLookup((name) =>
      name === "third.test" ? answers : answers.toSpliced(2, 0, "127.0.0.7"),
    );
    const guard = testGuard({ lookup, allowCidrs: ["127.0.0.0/8"] });
    expect(await guard.request(post(`http://third.test:${server.port}/`))).toMatchObject({
      remoteAddress: "127.0.0.3",
    });
    expect(await failureOf(guard.request(post(`http://fourth.test:${server.port}/`)))).toMatchObject({
      code: "NETWORK_ERROR",
      bytesMayHaveLeft: false,
    });
    expect(server.connections).toHaveLength(1);
  });
});
