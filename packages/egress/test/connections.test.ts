import { execFile } from "node:child_process";
import { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failureOf, get, post, testGuard } from "./support/guards.ts";
import { scriptedLookup } from "./support/scripted-lookup.ts";
import { startServer, startTcpServer, TEST_CA } from "./support/servers.ts";

describe("connections", () => {
  it("go only to judged addresses, one query each, for any set of answers", async () => {
    const serve = (address: string, port?: number) =>
      startServer((request, response) => response.end(request.socket.localAddress), {
        address,
        ...(port === undefined ? {} : { port }),
      });
    const first = await serve("127.0.0.1");
    const third = await serve("127.0.0.3", first.port);
    const forbidden = await serve("127.0.0.2", first.port);
    const opened = ["127.0.0.1", "127.0.0.3"];
    const script = new Map<string, readonly string[]>();
    const resolver = scriptedLookup((name) => script.get(name) ?? []);
    const guard = testGuard({ lookup: resolver.lookup, allowCidrs: opened });
    const connectionCount = () => first.connections.length + third.connections.length;
    const answers = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...opened) },
        {
          weight: 1,
          arbitrary: fc.constantFrom("127.0.0.2", "10.0.0.1", "::1", "::ffff:127.0.0.1", "127.0.0.1%lo", ""),
        },
      ),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(answers, fc.nat(1_000_000), async (set, salt) => {
        const name = `h${salt}-${script.size}.test`;
        script.set(name, set);
        const before = { connections: connectionCount(), queries: resolver.queries.length };
        const request = guard.request(get(`http://${name}:${first.port}/`));
        if (set.length > 0 && set.every((address) => opened.includes(address))) {
          const { remoteAddress, body } = await request;
          expect(set).toContain(remoteAddress);
          expect(new TextDecoder().decode(body)).toBe(remoteAddress);
          expect(connectionCount()).toBe(before.connections + 1);
        } else {
          expect(await failureOf(request)).toMatchObject({ code: "DNS_BLOCKED", bytesMayHaveLeft: false });
          expect(connectionCount()).toBe(before.connections);
        }
        expect(resolver.queries.length).toBe(before.queries + 1);
      }),
      { numRuns: 300 },
    );
    expect(forbidden.connections).toHaveLength(0);
  });

  it("are not shared by guards: each has its own policy", async () => {
    const server = await startServer((_request, response) => response.end());
    const url = `http://allowed.test:${server.port}/`;
    const operator = testGuard();
    const model = testGuard({ allowCidrs: [] });
    await operator.request(get(url));
    expect(await failureOf(model.request(get(url)))).toMatchObject({ code: "URL_BLOCKED" });
    expect(await failureOf(model.fetch(url))).toMatchObject({ code: "URL_BLOCKED" });
    expect(server.requests).toHaveLength(1);
  });

  it("are of one group each, and groups that were not used for long give theirs up", async () => {
    const server = await startServer((_request, response) => response.end(), { keepAliveMs: 120_000 });
    const guard = testGuard({ limits: { keepAliveMs: 60_000 } });
    const url = `http://allowed.test:${server.port}/`;
    for (const group of ["first", "second", "first"]) await guard.request({ ...get(url), group });
    expect(server.connections).toHaveLength(2);
    for (let index = 0; index < 999; index += 1) await guard.request({ ...get(url), group: `other ${index}` });
    expect(server.connections).toHaveLength(1_001);
    // The second was the one that was used least recently; the first still has its connection.
    await guard.request({ ...get(url), group: "first" });
    expect(server.connections).toHaveLength(1_001);
    await guard.request({ ...get(url), group: "second" });
    expect(server.connections).toHaveLength(1_002);
  });

  it("are used one request after the other", async () => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard();
    for (const path of ["a", "b", "c"]) {
      await guard.request(get(`http://allowed.test:${server.port}/${path}`));
    }
    expect(server.connections).toHaveLength(1);
  });

  it("are the same for a name with and without its trailing dot", async () => {
    const server = await startServer((_request, response) => response.end(), { certificate: "service" });
    const guard = testGuard();
    await guard.request(get(`https://allowed.test:${server.port}/`));
    await guard.request(get(`https://allowed.test.:${server.port}/`));
    expect(server.requests).toEqual(["GET / allowed.test", "GET / allowed.test"]);
    expect(server.connections).toHaveLength(1);
  });

  it("check the certificate in each TLS handshake instead of resuming a session of the name", async () => {
    const server = await startServer(
      ({ socket }, response) => {
        const isResumed = socket instanceof TLSSocket && socket.isSessionReused();
        response.writeHead(200, { connection: "close" }).end(`resumed: ${isResumed}`);
      },
      { certificate: "service" },
    );
    const guard = testGuard();
    for (let connection = 0; connection < 3; connection += 1) {
      const { body } = await guard.request(get(`https://allowed.test:${server.port}/`));
      expect(new TextDecoder().decode(body)).toBe("resumed: false");
    }
    expect(server.connections).toHaveLength(3);
  });

  it("are not kept past their age while idle, so that changes in DNS take effect", async () => {
    const server = await startServer((_request, response) => response.end());
    const resolver = scriptedLookup((_name, query) => (query === 1 ? ["127.0.0.1"] : ["10.0.0.1"]));
    const guard = testGuard({ lookup: resolver.lookup, limits: { connectionAgeMs: 1 } });
    const url = `http://allowed.test:${server.port}/`;
    await guard.request(get(url));
    const until = performance.now() + 2;
    while (performance.now() < until);
    expect(await failureOf(guard.request(get(url)))).toMatchObject({ code: "DNS_BLOCKED" });
    expect(server.requests).toHaveLength(1);
  });

  it("are not used past their idle time after the machine slept, during which only the wall clock continues", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    // Undici keeps 2 s of it as a reserve.
    const server = await startServer((_request, response) => response.end(), { keepAliveMs: 32_000 });
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    await guard.request(post(url));
    for (const [laterMs, connections] of [
      [20_000, 1],
      [-600_000, 1],
      [35_000, 2],
    ] as const) {
      vi.setSystemTime(Date.now() + laterMs);
      await guard.request(post(url));
      expect(server.connections).toHaveLength(connections);
    }
  });

  it("are replaced past their age even when they are never idle", async () => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard({ limits: { connectionAgeMs: 100 } });
    let count = 0;
    while (server.connections.length < 2) {
      await guard.request(post(`http://allowed.test:${server.port}/`));
      count += 1;
    }
    expect(server.requests).toHaveLength(count);
  });

  it("are limited for each origin", async () => {
    let atOnce = 0;
    let most = 0;
    const server = await startServer((_request, response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      setImmediate(() => {
        atOnce -= 1;
        response.end();
      });
    });
    const guard = testGuard({ limits: { connectionsPerOrigin: 2 } });
    const requests = Array.from({ length: 12 }, () => guard.request(get(`http://allowed.test:${server.port}/`)));
    expect(await Promise.all(requests)).toHaveLength(12);
    expect(server.connections).toHaveLength(2);
    expect(most).toBeLessThanOrEqual(2);
  });

  it("make room for others when too many are open: the oldest idle one goes", async () => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard({ limits: { connections: 3 } });
    const visit = (name: string) => guard.request(get(`http://${name}.test:${server.port}/`));
    for (const name of ["a", "b", "c", "d", "e", "f"]) {
      await visit(name);
    }
    expect(server.connections).toHaveLength(6);
    // The newest are still open, the oldest are not.
    await visit("f");
    expect(server.connections).toHaveLength(6);
    await visit("a");
    expect(server.connections).toHaveLength(7);
  });

  it("are closed with the guard", async () => {
    const server = await startServer((_request, response) => response.end());
    const guard = testGuard();
    await guard.request(get(`http://allowed.test:${server.port}/`));
    const closed = new Promise((resolve) => server.connections[0]?.once("close", resolve));
    await guard.close();
    await closed;
    expect(server.connections[0]?.destroyed).toBe(true);
  });

  it("do not come back when the server drops each one at once", async () => {
    const server = await startTcpServer((socket) => socket.resetAndDestroy());
    const guard = testGuard();
    for (let count = 1; count <= 5; count += 1) {
      await failureOf(guard.request(get(`http://allowed.test:${server.port}/`)));
      expect(server.connections).toHaveLength(count);
    }
  });
});

describe("a process whose environment wants otherwise", () => {
  it("uses no proxy and still checks certificates", async () => {
    const proxy = await startServer((_request, response) => response.end("from the proxy"));
    const direct = await startServer((_request, response) => response.end("direct"), { certificate: "service" });
    const wrong = await startServer((_request, response) => response.end("wrong"), { certificate: "other" });
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        fileURLToPath(new URL("support/request-each.ts", import.meta.url)),
        `https://allowed.test:${direct.port}/`,
        `https://allowed.test:${wrong.port}/`,
      ],
      {
        env: {
          ...process.env,
          TEST_CA,
          NODE_TLS_REJECT_UNAUTHORIZED: "0",
          NODE_USE_ENV_PROXY: "1",
          HTTP_PROXY: proxyUrl,
          HTTPS_PROXY: proxyUrl,
          ALL_PROXY: proxyUrl,
          http_proxy: proxyUrl,
          https_proxy: proxyUrl,
          no_proxy: "",
          NO_PROXY: "",
        },
      },
    );
    expect(JSON.parse(stdout)).toEqual(["direct", "direct", "TLS_ERROR", "TLS_ERROR"]);
    expect(proxy.connections).toHaveLength(0);
    expect(wrong.requests).toEqual([]);
  });
});
