import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createHttpServer, type HttpServerOptions } from "../../src/http/server.ts";
import { startWorld } from "./support/world.ts";

async function listen(options: HttpServerOptions = {}, host = "127.0.0.1") {
  const server = createHttpServer(
    () => (request, response) => {
      request.resume().once("end", () => response.end("ok"));
    },
    options,
  );
  const { url } = await server.listen(host, 0);
  onTestFinished(() => server.close());
  return { server, url, port: Number(new URL(url).port) };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  await once(socket, "connect");
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

async function allOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

describe("listening", () => {
  it.each<[string, string]>([
    ["127.0.0.1", "http://127.0.0.1:"],
    ["localhost", "http://localhost:"],
    ["0.0.0.0", "http://localhost:"],
    ["::1", "http://[::1]:"],
    ["::", "http://localhost:"],
  ])("on %s says where it is reached", async (host, start) => {
    const { url } = await listen({}, host);
    expect(url.startsWith(start)).toBe(true);
    expect(await (await fetch(url)).text()).toBe("ok");
  });

  it("on a port that is taken says which, and what to do", async () => {
    const { port } = await listen();
    const other = createHttpServer(() => () => {});
    await expect(other.listen("127.0.0.1", port)).rejects.toMatchObject({
      code: "CONFLICT",
      message: `another process uses port ${port} on 127.0.0.1`,
      hint: "choose another port (YAGATE_PORT, or --port of yagate dev), or 0 for a free one",
    });
  });

  it("on an address that is not this machine's says so", async () => {
    const server = createHttpServer(() => () => {});
    await expect(server.listen("192.0.2.1", 0)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: "cannot listen on 192.0.2.1:0 (EADDRNOTAVAIL)",
    });
  });
});

describe("connections", () => {
  it("carry one request after another", async () => {
    const { port } = await listen();
    const socket = await open(port);
    let text = "";
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    for (let count = 1; count <= 3; count += 1) {
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      while (text.split("HTTP/1.1 200 OK").length <= count) await once(socket, "data");
    }
    expect(text).toContain("Keep-Alive: timeout=75");
  });

  it.each<[string, string]>([
    ["headers do not come", "GET / HTTP/1.1\r\nHost: loc"],
    ["a body does not come", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf"],
  ])("on which %s are ended", async (_what, text) => {
    const { port } = await listen({ headersTimeoutMs: 50, requestTimeoutMs: 50, timeoutCheckMs: 10 });
    const socket = await open(port);
    socket.write(text);
    expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("that were never used, or wait for another request, end when the server closes", async () => {
    const { server, port } = await listen({ closeGraceMs: 60_000 });
    const unused = await open(port);
    const used = await open(port);
    used.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(used, "data");
    const [, first, second] = await Promise.all([server.close(), allOf(unused), allOf(used)]);
    expect([first, second]).toEqual(["", ""]);
  });
});

describe("the API", async () => {
  const world = await startWorld();
  afterAll(() => world.stop());
  const authorization = `Bearer ${world.key}`;

  it.each<[string, string]>([
    ["GET", "/v1/agent"],
    ["GET", "/v2/agents"],
    ["GET", "/"],
    ["GET", "/v1/agents/%E0%A4%A"],
    ["GET", "/v1/agents/a%00b"],
    ["GET", "/v1/agents/a%2Fb"],
    ["PROPFIND", "/v1/agent"],
  ])("answers %s %s with a problem", async (method, path) => {
    const response = await fetch(world.url + path, { method, headers: { authorization } });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "NOT_FOUND", status: 404 });
  });

  it("says which route there is not", async () => {
    const response = await fetch(`${world.url}/v1/agent?key=planted`);
    expect(await response.json()).toMatchObject({
      detail: "no route GET /v1/agent",
      hint: "GET /openapi.json lists the routes",
    });
  });

  it.each(["/v1/agents", "/healthz", "/nowhere"])("lets no other site read %s", async (path) => {
    const headers = { authorization, origin: "https://evil.example", "access-control-request-method": "POST" };
    for (const method of ["GET", "OPTIONS"]) {
      const response = await fetch(world.url + path, { method, headers });
      const cors = [...response.headers.keys()].filter((name) => name.startsWith("access-control"));
      expect(cors).toEqual([]);
    }
  });

  it("keeps its answers out of caches, and out of the hands of guessing browsers", async () => {
    const { headers } = await fetch(`${world.url}/v1/agents`, { headers: { authorization } });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).toBe("application/json");
    for (const name of ["x-powered-by", "server", "etag"]) expect(headers.get(name)).toBeNull();
  });

  it("answers HEAD like GET, without the body", async () => {
    const [get, head] = await Promise.all(
      ["GET", "HEAD"].map((method) => fetch(`${world.url}/v1/agents`, { method, headers: { authorization } })),
    );
    expect(head?.status).toBe(200);
    expect(head?.headers.get("content-length")).toBe(get?.headers.get("content-length"));
    expect(await head?.text()).toBe("");
  });

  it("reads nothing of the body of a request that needs none", async () => {
    const response = await fetch(`${world.url}/v1/executions/none/cancel`, {
      method: "POST",
      headers: { authorization },
      body: "{ not json",
    });
    expect(response.status).toBe(404);
  });
});
