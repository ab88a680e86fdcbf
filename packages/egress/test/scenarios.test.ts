import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../test/services/free-port.ts";
import { failureOf, get, post, testGuard } from "./support/guards.ts";
import { scriptedLookup } from "./support/scripted-lookup.ts";
import { startServer, startTcpServer } from "./support/servers.ts";
import scenarios from "./vectors/egress-scenarios.json" with { type: "json" };

/** 127.0.0.1 stands in for a public address, 127.0.0.2 for one that must never be reached. */
const FORBIDDEN = "127.0.0.2";

async function startPair() {
  const allowed = await startServer((_request, response) => response.end("ok"), { certificate: "service" });
  const forbidden = await startServer((_request, response) => response.end("stolen"), {
    certificate: "service",
    address: FORBIDDEN,
    port: allowed.port,
  });
  return { allowed, forbidden };
}

const SCENARIOS: Readonly<Record<string, () => Promise<void>>> = {
  "scn-01": async () => {
    const { allowed, forbidden } = await startPair();
    const resolver = scriptedLookup((_name, query) => (query === 1 ? ["127.0.0.1"] : [FORBIDDEN]));
    const guard = testGuard({ lookup: resolver.lookup });
    const url = `https://hooks.test:${allowed.port}/`;
    expect(await guard.request(post(url))).toMatchObject({ status: 200, remoteAddress: "127.0.0.1" });
    expect(resolver.queries).toEqual(["hooks.test"]);
    expect(allowed.connections).toHaveLength(1);

    // A further connection asks once more, and is then blocked.
    allowed.connections[0]?.destroy();
    expect(await failureOf(guard.request(post(url)))).toMatchObject({ code: "DNS_BLOCKED", bytesMayHaveLeft: false });
    expect(resolver.queries).toEqual(["hooks.test", "hooks.test"]);
    expect(forbidden.connections).toHaveLength(0);
  },

  "scn-03": async () => {
    const { allowed, forbidden } = await startPair();
    const resolver = scriptedLookup((_name, query) => (query === 1 ? ["127.0.0.1"] : ["10.0.0.1", FORBIDDEN]));
    const guard = testGuard({ lookup: resolver.lookup });
    const url = `https://hooks.test:${allowed.port}/`;
    await guard.request(get(url));
    expect(await guard.request(get(url))).toMatchObject({ status: 200, remoteAddress: "127.0.0.1" });
    expect(resolver.queries).toHaveLength(1);
    expect(allowed.connections).toHaveLength(1);
    expect(forbidden.connections).toHaveLength(0);
  },

  "scn-06": async () => {
    const metadata = await startServer((_request, response) => response.end("stolen"), { address: FORBIDDEN });
    const location = `http://${FORBIDDEN}:${metadata.port}/latest/meta-data/`;
    const server = await startServer((_request, response) => response.writeHead(302, { location }).end(), {
      certificate: "service",
    });
    const guard = testGuard();
    const url = `https://public.test:${server.port}/r`;
    expect(await guard.request(get(url))).toMatchObject({ status: 302, headers: { location } });
    expect((await guard.fetch(url)).status).toBe(302);
    expect(await failureOf(guard.fetch(url, { redirect: "error" }))).toMatchObject({ code: "REDIRECT_REFUSED" });
    expect(metadata.connections).toHaveLength(0);
  },

  "scn-07": async () => {
    const { allowed, forbidden } = await startPair();
    const location = `https://internal.test:${allowed.port}/`;
    const server = await startServer((_request, response) => response.writeHead(302, { location }).end(), {
      certificate: "service",
    });
    const { lookup } = scriptedLookup((name) => (name === "internal.test" ? [FORBIDDEN] : ["127.0.0.1"]));
    const guard = testGuard({ lookup, ports: "any" });
    const url = `https://public.test:${server.port}/r`;
    expect(await failureOf(guard.request(get(url, { redirects: "revalidate" })))).toMatchObject({
      code: "DNS_BLOCKED",
      reason: `at redirect 1: internal.test has the blocked address ${FORBIDDEN}`,
    });
    expect(forbidden.connections).toHaveLength(0);
    expect(allowed.connections).toHaveLength(0);
    // By default nothing is followed, and whoever follows it asks again.
    const hop = await guard.request(get(url));
    expect(hop.status).toBe(302);
    expect(await failureOf(guard.request(get(String(hop.headers["location"]))))).toMatchObject({ code: "DNS_BLOCKED" });
    expect(forbidden.connections).toHaveLength(0);
  },

  "scn-15": async () => {
    const server = await startServer((_request, response) => response.end(), { certificate: "service" });
    const guard = testGuard();
    const url = `https://allowed.test:${server.port}/`;
    const headers = { Host: "evil.test" };
    expect(await failureOf(guard.request(get(url, { headers })))).toMatchObject({ code: "INVALID_ARGUMENTS" });
    expect(server.connections).toHaveLength(0);
    // A fetch drops it, as browsers do.
    expect((await guard.fetch(url, { headers })).status).toBe(200);
    expect(server.requests).toEqual(["GET / allowed.test"]);
    expect(server.serverNames).toEqual(["allowed.test"]);
  },

  "scn-17": async () => {
    const server = await startServer((_request, response) => response.end(), { certificate: "other" });
    const failure = await failureOf(testGuard().request(post(`https://allowed.test:${server.port}/`)));
    expect(failure).toMatchObject({ code: "TLS_ERROR", bytesMayHaveLeft: false });
    expect(server.serverNames).toEqual(["allowed.test"]);
    expect(server.requests).toEqual([]);
  },

  "scn-21": async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const server = await startServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    const guard = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    const limits = { maxResponseBytes: 1024 * 1024 };
    await failureOf(guard.request(get(url, limits)));
    const memory = () => process.memoryUsage().arrayBuffers;
    const before = memory();
    let highest = before;
    const sampler = setInterval(() => {
      highest = Math.max(highest, memory());
    }, 1);
    const failure = await failureOf(guard.request(get(url, limits)));
    clearInterval(sampler);
    expect(failure).toMatchObject({ code: "RESPONSE_TOO_LARGE" });
    expect(Math.max(highest, memory()) - before).toBeLessThan(16 * 1024 * 1024);
  },

  // Ten times as fast as in the text.
  "scn-24": async () => {
    const server = await startServer((_request, response) => {
      const drip = setInterval(() => response.write("."), 50);
      response.once("close", () => clearInterval(drip));
    });
    const startedAt = performance.now();
    const failure = await failureOf(
      testGuard().request(get(`http://allowed.test:${server.port}/`, { timeoutMs: 500 })),
    );
    expect(failure).toMatchObject({ code: "TIMEOUT", bytesMayHaveLeft: true });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  },

  "scn-28": async () => {
    const server = await startServer(
      (request, response) => {
        if (request.url === "/drip") {
          const drip = setInterval(() => response.write("."), 20);
          response.once("close", () => clearInterval(drip));
        } else {
          response.writeHead(200, request.url === "/flood" ? { "x-flood": "x".repeat(20_000) } : {}).end("ok");
        }
      },
      { certificate: "service" },
    );
    const guard = testGuard();
    const url = (path: string) => `https://allowed.test:${server.port}${path}`;
    expect(await failureOf(guard.request(get(url("/drip"), { timeoutMs: 150 })))).toMatchObject({ code: "TIMEOUT" });
    expect(await failureOf(guard.request(get(url("/flood"))))).toMatchObject({ code: "RESPONSE_TOO_LARGE" });
    expect(await failureOf(guard.request(get(url("/"), { headers: { x: "a\r\nb: c" } })))).toMatchObject({
      code: "INVALID_ARGUMENTS",
    });
    expect(await guard.request(get(url("/"), { timeoutMs: 2_000 }))).toMatchObject({ status: 200 });
  },

  "scn-33": async () => {
    const open = await startServer((_request, response) => response.end(), { address: FORBIDDEN });
    const shutPort = await freePort();
    const { lookup } = scriptedLookup((name) => (name === "private.test" ? [FORBIDDEN] : { error: "ENOTFOUND" }));
    const guard = testGuard({ lookup, allowCidrs: [], ports: [open.port, shutPort] });
    const seenByModel = async (url: string) => {
      const { code, message, hint, reason } = await failureOf(guard.request(get(url)));
      expect(reason).not.toBe(message);
      return { code, message, hint };
    };
    const urls = {
      onOpenPort: `https://private.test:${open.port}/`,
      onShutPort: `https://private.test:${shutPort}/`,
      unknown: `https://unknown.test:${open.port}/`,
      literal: `https://${FORBIDDEN}:${open.port}/`,
    };
    const onOpenPort = await seenByModel(urls.onOpenPort);
    expect(onOpenPort.code).toBe("DNS_BLOCKED");
    expect(JSON.stringify(onOpenPort)).not.toMatch(/127\.0|port|private/);
    for (const url of Object.values(urls)) expect(await seenByModel(url)).toEqual(onOpenPort);
    // The time tells no more than the words: nothing is connected to, whichever it is.
    const timed = [urls.onOpenPort, urls.onShutPort, urls.unknown].map((url) => ({ url, times: [] as number[] }));
    for (let round = 0; round < 41; round += 1) {
      for (const { url, times } of timed) {
        const startedAt = performance.now();
        await failureOf(guard.request(get(url)));
        times.push(performance.now() - startedAt);
      }
    }
    const medians = timed.map(({ times }) => times.toSorted((left, right) => left - right)[20] ?? Number.NaN);
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(5);
    expect(open.connections).toHaveLength(0);
  },
};

describe("the scenarios", () => {
  it.each(scenarios.cases)("$id: $title", async ({ id }) => {
    const scenario = SCENARIOS[id];
    expect(scenario).toBeDefined();
    await scenario?.();
  });
});

describe("an answer that never ends", () => {
  it.each<[string, string, number]>([
    ["of interim answers", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", 20],
    ["of header bytes", "a", 20],
    ["of one byte", "", 50],
  ])("%s stops at the deadline", async (_name, piece, intervalMs) => {
    const server = await startTcpServer((socket) => {
      socket.once("data", () => {
        socket.write(piece === "a" ? "HTTP/1.1 200 OK\r\nx: " : "");
        const drip = setInterval(() => socket.write(piece), intervalMs);
        socket.once("close", () => clearInterval(drip));
      });
    });
    const startedAt = performance.now();
    const failure = await failureOf(
      testGuard().request(get(`http://allowed.test:${server.port}/`, { timeoutMs: 250 })),
    );
    expect(failure).toMatchObject({ code: "TIMEOUT", bytesMayHaveLeft: true });
    expect(performance.now() - startedAt).toBeLessThan(1_250);
  });

  it("of interim answers stops early when they come in a flood", async () => {
    const server = await startTcpServer((socket) => {
      socket.once("data", () => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(10_000)));
    });
    const failure = await failureOf(testGuard().request(get(`http://allowed.test:${server.port}/`)));
    expect(failure).toMatchObject({ code: "NETWORK_ERROR", bytesMayHaveLeft: true });
  });

  it("does not hide an answer that follows a few interim ones", async () => {
    const server = await startTcpServer((socket) => {
      socket.once("data", () => {
        socket.write(`${"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(3)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`);
      });
    });
    expect(await testGuard().request(get(`http://allowed.test:${server.port}/`))).toMatchObject({ status: 200 });
  });
});
