import { randomBytes } from "node:crypto";
import { readFile } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { EgressRequest } from "@yagate/egress";
import { describe, expect, it } from "vitest";
import { failureOf, get, post, testGuard } from "./support/guards.ts";
import { scriptedLookup } from "./support/scripted-lookup.ts";
import { startServer, startTcpServer } from "./support/servers.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("a request", () => {
  it("brings back status, headers, body, sizes and the address it went to", async () => {
    const server = await startServer(async (request, response) => {
      const chunks = await request.toArray();
      response.writeHead(201, { "X-Answer": "yes", "Set-Cookie": ["a=1", "b=2"] });
      response.end(`${request.method} ${request.headers["x-ask"]} ${Buffer.concat(chunks)}`);
    });
    const body = new TextEncoder().encode('{"é":1}');
    const answer = await testGuard().request(
      post(`http://allowed.test:${server.port}/a/b?c=d#e`, { body, headers: { "X-Ask": "please" } }),
    );
    expect(answer).toMatchObject({ status: 201, remoteAddress: "127.0.0.1", requestBytes: 8, responseBytes: 20 });
    expect(answer.headers).toMatchObject({ "x-answer": "yes", "set-cookie": ["a=1", "b=2"] });
    expect(text(answer.body)).toBe('POST please {"é":1}');
    expect(server.requests).toEqual(["POST /a/b?c=d allowed.test"]);
    expect(answer.durationMs).toBeGreaterThan(0);
  });

  it.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const)("may be a %s", async (method) => {
    const server = await startServer((_request, response) => response.end());
    expect(await testGuard().request(get(`http://allowed.test:${server.port}/`, { method }))).toMatchObject({
      status: 200,
      body: new Uint8Array(),
    });
    expect(server.requests).toEqual([`${method} / allowed.test`]);
  });

  it("times each step on a new connection, and only the answer on one that was open", async () => {
    const server = await startServer((_request, response) => response.end("ok"), { certificate: "service" });
    const guard = testGuard();
    const url = `https://allowed.test:${server.port}/`;
    const step = expect.any(Number);
    const first = await guard.request(get(url));
    const second = await guard.request(get(url));
    expect(first.timings).toEqual({ dns: step, connect: step, tls: step, firstByte: step });
    expect(second.timings).toEqual({ dns: null, connect: null, tls: null, firstByte: step });
    expect(server.connections).toHaveLength(1);
    expect(second.remoteAddress).toBe("127.0.0.1");
  });

  it("has no DNS time for an address and no TLS time for http", async () => {
    const server = await startServer((_request, response) => response.end("ok"));
    const { timings } = await testGuard().request(get(`http://127.0.0.1:${server.port}/`));
    expect(timings).toMatchObject({ dns: null, connect: expect.any(Number), tls: null });
  });

  it("does not follow a redirect", async () => {
    const server = await startServer((_request, response) => response.writeHead(302, { location: "/other" }).end());
    const answer = await testGuard().request(get(`http://allowed.test:${server.port}/`));
    expect(answer).toMatchObject({ status: 302, headers: { location: "/other" } });
    expect(server.requests).toHaveLength(1);
  });

  it("checks the certificate of an address against that address", async () => {
    const server = await startServer((_request, response) => response.end("ok"), { certificate: "service" });
    const guard = testGuard({ allowCidrs: ["127.0.0.0/8"] });
    expect(await guard.request(get(`https://127.0.0.1:${server.port}/`))).toMatchObject({ status: 200 });
    const elsewhere = await startServer((_request, response) => response.end("ok"), {
      certificate: "service",
      address: "127.0.0.2",
    });
    expect(await failureOf(guard.request(get(`https://127.0.0.2:${elsewhere.port}/`)))).toMatchObject({
      code: "TLS_ERROR",
    });
  });

  it("keeps a header of the answer that is named like a property of objects", async () => {
    const server = await startServer((_request, response) => response.writeHead(200, { __proto__x: "1" }).end());
    const { headers } = await testGuard().request(get(`http://allowed.test:${server.port}/`));
    expect(headers["__proto__x"]).toBe("1");
    expect(headers["constructor"]).toBeUndefined();
  });
});

describe("the headers of a request", () => {
  it.each([
    ["host", "evil.test"],
    ["Host", "evil.test"],
    ["content-length", "1"],
    ["Transfer-Encoding", "chunked"],
    ["connection", "close"],
    ["keep-alive", "timeout=600"],
    ["upgrade", "websocket"],
    ["expect", "100-continue"],
    ["te", "trailers"],
    ["trailer", "x"],
    ["proxy-authorization", "Basic eA=="],
    ["Proxy-Connection", "keep-alive"],
    ["x y", "1"],
    ["", "1"],
    ["x:y", "1"],
    ["x\r\ny", "1"],
    ["xé", "1"],
    ["x", "1\r\ny: 2"],
    ["x", "1\ny"],
    ["x", "1\0"],
    ["x", "é"],
    ["x", "\u0085"],
    ["x", "\u007f"],
  ])("may not hold %j: %j", async (name, value) => {
    const server = await startServer((_request, response) => response.end());
    const failure = await failureOf(
      testGuard().request(get(`http://allowed.test:${server.port}/`, { headers: { [name]: value } })),
    );
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENTS", bytesMayHaveLeft: false });
    expect(failure.message).not.toContain(value);
    expect(server.connections).toHaveLength(0);
  });

  it("may not hold one name twice", async () => {
    const failure = await failureOf(
      testGuard().request(get("http://127.0.0.1:1/", { headers: { "x-a": "1", "X-A": "2" } })),
    );
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENTS" });
  });

  it("ask for an answer that is not encoded, whatever the caller wants", async () => {
    const server = await startServer((request, response) => response.end(request.headers["accept-encoding"]));
    const answer = await testGuard().request(
      get(`http://allowed.test:${server.port}/`, { headers: { "Accept-Encoding": "gzip" } }),
    );
    expect(text(answer.body)).toBe("identity");
  });
});

describe("the options of a request", () => {
  it.each<[string, Partial<Record<keyof EgressRequest, unknown>>]>([
    ["another method", { method: "TRACE" }],
    ["a method in lower case", { method: "get" }],
    ["no time", { timeoutMs: 0 }],
    ["no number for a time", { timeoutMs: Number.NaN }],
    ["endless time", { timeoutMs: Number.POSITIVE_INFINITY }],
    ["a size below zero", { maxResponseBytes: -1 }],
    ["half a byte", { maxResponseBytes: 0.5 }],
  ])("may not be %s", async (_name, change) => {
    const options: EgressRequest = Object.assign(get("http://127.0.0.1:1/"), change);
    expect(await failureOf(testGuard().request(options))).toMatchObject({ code: "INVALID_ARGUMENTS" });
  });
});

describe("an encoded answer", () => {
  const plain = Buffer.from(JSON.stringify({ result: "x".repeat(500) }));

  it.each([
    ["gzip", gzipSync(plain)],
    ["x-gzip", gzipSync(plain)],
    ["GZip", gzipSync(plain)],
    ["br", brotliCompressSync(plain)],
    ["identity", plain],
  ])("is decoded from %s", async (coding, packed) => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { "content-encoding": coding }).end(packed);
    });
    const answer = await testGuard().request(get(`http://allowed.test:${server.port}/`));
    expect(Buffer.from(answer.body)).toEqual(plain);
    expect(answer.responseBytes).toBe(packed.length);
  });

  it.each<[string, string | readonly string[], Uint8Array]>([
    ["an unknown coding", "compress", plain],
    ["two codings", "gzip, gzip", gzipSync(gzipSync(plain))],
    ["two headers", ["gzip", "gzip"], gzipSync(gzipSync(plain))],
    ["a name of every object", "constructor", plain],
    ["a body that is not packed", "gzip", plain],
    ["a body that is cut short", "gzip", gzipSync(plain).subarray(0, -12)],
  ])("is refused with %s", async (_name, coding, body) => {
    const server = await startServer((_request, response) => {
      response.setHeader("content-encoding", coding).end(body);
    });
    expect(await failureOf(testGuard().request(get(`http://allowed.test:${server.port}/`)))).toMatchObject({
      code: "INVALID_RESPONSE",
      bytesMayHaveLeft: true,
    });
  });

  it("may be announced where there is no body", async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(204, { "content-encoding": "compress" }).end();
    });
    expect(await testGuard().request(get(`http://allowed.test:${server.port}/`))).toMatchObject({ status: 204 });
  });
});

describe("the size of an answer", () => {
  const body = randomBytes(200_000);

  it.each<[string, Record<string, string>]>([
    ["with its length", { "content-length": String(body.length) }],
    ["in chunks", {}],
  ])("is cut to the limit %s, when that is asked for, and the rest is not waited for", async (_name, headers) => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, headers);
      response.write(body.subarray(0, 1_000));
      response.write(body.subarray(1_000, 150_000));
    });
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    const answer = await guard.request(get(url, { maxResponseBytes: 1_001, onTooLarge: "cut" }));
    expect(answer).toMatchObject({ status: 200, isCut: true, responseBytes: 1_001 });
    expect(Buffer.from(answer.body).equals(body.subarray(0, 1_001))).toBe(true);
    const [connection] = server.connections;
    await expect.poll(() => connection?.destroyed).toBe(true);
  });

  it("is not cut where it fits, nor where it came packed", async () => {
    const server = await startServer((request, response) => {
      const isPacked = request.url === "/packed";
      response.writeHead(200, isPacked ? { "content-encoding": "gzip" } : {});
      response.end(isPacked ? gzipSync(body) : body);
    });
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}`;
    const whole = { maxResponseBytes: body.length, onTooLarge: "cut" } as const;
    expect(await guard.request(get(`${url}/`, whole))).toMatchObject({ isCut: false });
    const packed = guard.request(get(`${url}/packed`, { ...whole, maxResponseBytes: 1_000 }));
    expect(await failureOf(packed)).toMatchObject({ code: "RESPONSE_TOO_LARGE" });
  });

  it.each<[string, Record<string, string>]>([
    ["with its length", { "content-length": String(body.length) }],
    ["in chunks", {}],
  ])("is limited exactly %s", async (_name, headers) => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, headers);
      response.write(body.subarray(0, 1));
      response.end(body.subarray(1));
    });
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    const answer = await guard.request(get(url, { maxResponseBytes: body.length }));
    expect(Buffer.from(answer.body).equals(body)).toBe(true);
    expect(await failureOf(guard.request(get(url, { maxResponseBytes: body.length - 1 })))).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      bytesMayHaveLeft: true,
    });
  });

  it("is judged by its announcement, before the body comes", async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { "content-length": "1000001" });
      response.flushHeaders();
    });
    expect(await failureOf(testGuard().request(get(`http://allowed.test:${server.port}/`)))).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
    });
  });

  it("is not judged by what a HEAD announces", async () => {
    const server = await startServer((_request, response) =>
      response.writeHead(200, { "content-length": "1000001" }).end(),
    );
    const answer = await testGuard().request(get(`http://allowed.test:${server.port}/`, { method: "HEAD" }));
    expect(answer).toMatchObject({ status: 200, responseBytes: 0 });
  });

  it("is counted after decoding too", async () => {
    const packed = gzipSync(Buffer.alloc(1001));
    const server = await startServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
    });
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    expect((await guard.request(get(url, { maxResponseBytes: 1001 }))).body).toHaveLength(1001);
    expect(await failureOf(guard.request(get(url, { maxResponseBytes: 1000 })))).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
    });
  });

  it("may be reached byte by byte", async () => {
    // On the wire this is more than one answer's headers may have.
    const bytes = randomBytes(250_000);
    const chunks = [...bytes].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
    const server = await startTcpServer((socket) => {
      socket.once("data", () => {
        const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        socket.write(Buffer.concat([Buffer.from(head), ...chunks, Buffer.from("0\r\n\r\n")]));
      });
    });
    const limit = { maxResponseBytes: bytes.length };
    const answer = await testGuard().request(get(`http://allowed.test:${server.port}/`, limit));
    expect(Buffer.from(answer.body).equals(bytes)).toBe(true);
  });

  it("is limited for the headers as well", async () => {
    const server = await startServer((_request, response) =>
      response.writeHead(200, { "x-a": "a".repeat(17_000) }).end(),
    );
    expect(await failureOf(testGuard().request(get(`http://allowed.test:${server.port}/`)))).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
    });
  });
});

describe("beforeSend", () => {
  it("is called once, before the first byte and before onBytesSent", async () => {
    const server = await startServer((_request, response) => response.end());
    const order: string[] = [];
    await testGuard().request(
      post(`http://allowed.test:${server.port}/`, {
        beforeSend: () => order.push(`before, ${server.requests.length} arrived`),
        onBytesSent: () => order.push("sent"),
      }),
    );
    expect(order).toEqual(["before, 0 arrived", "sent"]);
  });

  it("is called after DNS, TCP and TLS, so that nothing but the write comes after it", async () => {
    const server = await startServer((_request, response) => response.end(), { certificate: "service" });
    const resolver = scriptedLookup(() => ["127.0.0.1"]);
    let seen: unknown;
    await testGuard({ lookup: resolver.lookup }).request(
      post(`https://allowed.test:${server.port}/`, {
        beforeSend: () => {
          seen = { queries: resolver.queries.length, connections: server.connections.length };
        },
      }),
    );
    expect(seen).toEqual({ queries: 1, connections: 1 });
  });

  it.each(["a new connection", "an open connection"])("keeps everything back when it throws on %s", async (kind) => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    const earlier = kind === "an open connection" ? [await guard.request(post(url))].length : 0;
    const bytesBefore = server.connections[0]?.bytesRead ?? 0;
    const lost = new Error("the lease is lost");
    const refused = guard.request(
      post(url, {
        beforeSend: () => {
          throw lost;
        },
        onBytesSent: () => expect.unreachable("nothing was sent"),
      }),
    );
    await expect(refused).rejects.toBe(lost);
    expect(server.connections[0]?.bytesRead ?? 0).toBe(bytesBefore);
    // The connection is as good as before.
    expect(await guard.request(post(url))).toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(earlier + 1);
    expect(server.connections).toHaveLength(1);
  });

  it("is not called for a request that is refused", async () => {
    const guard = testGuard({ lookup: scriptedLookup(() => ["10.0.0.1"]).lookup });
    const failure = await failureOf(
      guard.request(post("https://allowed.test/", { beforeSend: () => expect.unreachable("it was refused") })),
    );
    expect(failure).toMatchObject({ code: "DNS_BLOCKED" });
  });

  it("is not called past the deadline, even when the event loop was held up", async () => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    await guard.request(post(url));
    // Leaves us in the phase of the event loop that comes before immediates, which are served before timers then.
    await new Promise((resolve) => readFile(import.meta.filename, resolve));
    const late = guard.request(
      post(url, { timeoutMs: 5, beforeSend: () => expect.unreachable("the deadline has passed") }),
    );
    const until = performance.now() + 20;
    while (performance.now() < until);
    expect(await failureOf(late)).toMatchObject({ code: "TIMEOUT", bytesMayHaveLeft: false });
    expect(server.requests).toHaveLength(1);
  });

  it("passes on what onBytesSent throws", async () => {
    const server = await startServer((_request, response) => response.end());
    const broken = new Error("broken");
    const request = testGuard().request(
      post(`http://allowed.test:${server.port}/`, {
        onBytesSent: () => {
          throw broken;
        },
      }),
    );
    await expect(request).rejects.toBe(broken);
  });
});
