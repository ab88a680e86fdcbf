import type { RequestListener } from "node:http";
import type { EgressPolicy, EgressRequest } from "@yagate/egress";
import { createDestinationCheck } from "@yagate/egress";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConnectionPool } from "../src/connection-pool.ts";
import { createConnector } from "../src/connector.ts";
import { createGate } from "../src/gate.ts";
import { completePolicy } from "../src/policy.ts";
import type { EgressRoute } from "../src/request.ts";
import { followRevalidated } from "../src/revalidated-redirects.ts";
import { failureOf, get, post, testGuard } from "./support/guards.ts";
import { loopbackLookup, scriptedLookup } from "./support/scripted-lookup.ts";
import { startServer, TEST_CA } from "./support/servers.ts";

const FORBIDDEN = "127.0.0.2";

/** Loopback stands for the public network: a guard never follows a redirect into a network that was opened. */
function createRoute(policy: EgressPolicy = {}): EgressRoute {
  const complete = completePolicy({
    allowCidrs: ["127.0.0.1"],
    ports: "any",
    lookup: loopbackLookup,
    ca: [TEST_CA],
    ...policy,
  });
  const gate = createGate(complete);
  const pool = new ConnectionPool(createConnector(gate, complete), complete.limits);
  onTestFinished(() => pool.close());
  return { gate, pool };
}

const follow = (options: EgressRequest, policy: EgressPolicy = {}) =>
  followRevalidated(createRoute(policy), createRoute(policy), options);

interface Seen {
  readonly line: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A server that redirects as its table says, and answers everything else with what it has seen. */
async function startRedirecting(table: Readonly<Record<string, readonly [number, string]>>) {
  const listener: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const [status, location] = table[request.url ?? ""] ?? [200, undefined];
    response.writeHead(status, location === undefined ? {} : { location });
    const headers = request.headers as Record<string, string | undefined>;
    const line = `${request.method} ${request.url} ${headers["host"]?.replace(/:\d+$/, "")}`;
    response.end(JSON.stringify({ line, headers, body } satisfies Seen));
  };
  return startServer(listener, { certificate: "service" });
}

const seen = (body: Uint8Array): Seen => JSON.parse(new TextDecoder().decode(body));

describe("a guard that follows redirects", () => {
  it.each<[string, (port: number) => string, string, string]>([
    ["to a literal private address", () => "https://169.254.169.254/latest/", "DNS_BLOCKED", "169.254.169.254"],
    ["to a name with a private address", (port) => `https://internal.test:${port}/`, "DNS_BLOCKED", FORBIDDEN],
    ["into a network that the operator opened", (port) => `https://hooks.test:${port}/`, "DNS_BLOCKED", "127.0.0.1"],
    ["to itself, when it lies there", () => "/other", "DNS_BLOCKED", "127.0.0.1"],
    ["to http", (port) => `http://hooks.test:${port}/`, "REDIRECT_REFUSED", "https"],
    ["to another scheme", () => "file:///etc/passwd", "REDIRECT_REFUSED", "https"],
    ["to no url", () => "https://[", "REDIRECT_REFUSED", "not a url"],
    ["to a url with a password", (port) => `https://a:b@hooks.test:${port}/`, "URL_BLOCKED", "password"],
    ["to localhost", (port) => `https://localhost:${port}/`, "URL_BLOCKED", "localhost"],
  ])("is not led %s", async (_name, location, code, reason) => {
    const target = await startServer((_request, response) => response.end(), { certificate: "service" });
    const forbidden = await startServer((_request, response) => response.end(), {
      certificate: "service",
      address: FORBIDDEN,
      port: target.port,
    });
    const server = await startRedirecting({ "/r": [302, location(target.port)] });
    const { lookup } = scriptedLookup((name) => [name === "internal.test" ? FORBIDDEN : "127.0.0.1"]);
    const guard = testGuard({ lookup, ports: "any" });
    const url = `https://public.test:${server.port}/r`;
    const failure = await failureOf(guard.request(get(url, { redirects: "revalidate" })));
    expect(failure).toMatchObject({ code, bytesMayHaveLeft: true, answerStatus: 302 });
    expect(failure.reason).toMatch(/^at redirect 1: /);
    expect(failure.reason).toContain(reason);
    expect(failure.message).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
    expect(target.connections).toHaveLength(0);
    expect(forbidden.connections).toHaveLength(0);
    expect(server.requests).toHaveLength(1);
  });

  it("asks the request's own list at each hop", async () => {
    const target = await startRedirecting({});
    const server = await startRedirecting({ "/r": [302, `https://hooks.test:${target.port}/`] });
    const approved = createDestinationCheck([{ allowedDomains: ["public.test"], ports: [server.port] }]);
    const failure = await failureOf(follow(get(`https://public.test:${server.port}/r`, { approved })));
    expect(failure).toMatchObject({
      code: "URL_BLOCKED",
      message: `blocked: host hooks.test is not allowed; allowed: public.test (port ${server.port})`,
      bytesMayHaveLeft: true,
    });
    expect(target.connections).toHaveLength(0);
  });

  it("gives what is no redirect as it is", async () => {
    const server = await startServer((_request, response) => response.writeHead(304).end(), {
      certificate: "service",
    });
    const url = `https://public.test:${server.port}/`;
    const answer = await testGuard().request(get(url, { redirects: "revalidate" }));
    expect(answer).toMatchObject({ status: 304, url });
  });
});

describe("a redirect that is followed", () => {
  it("ends at an answer that says where it came from", async () => {
    const server = await startRedirecting({ "/a": [301, "/b"], "/b": [302, "c?x=1#f"], "/c?x=1": [307, "/d"] });
    const answer = await follow(get(`https://public.test:${server.port}/a`));
    expect(answer).toMatchObject({ status: 200, url: `https://public.test:${server.port}/d` });
    expect(server.requests).toEqual(["/a", "/b", "/c?x=1", "/d"].map((path) => `GET ${path} public.test`));
  });

  it("is one of at most three", async () => {
    const server = await startRedirecting({ "/": [302, "/"] });
    const failure = await failureOf(follow(get(`https://public.test:${server.port}/`)));
    expect(failure).toMatchObject({ code: "REDIRECT_REFUSED", answerStatus: 302, isTemporary: false });
    expect(server.requests).toHaveLength(4);
  });

  const headers = {
    Authorization: "Bearer x",
    Cookie: "a=b",
    "X-Api-Key": "k",
    "Content-Type": "application/json",
    Accept: "text/html",
    "Accept-Language": "de",
    "User-Agent": "test",
  };

  it("takes the headers along within one origin, but for those of a body", async () => {
    const server = await startRedirecting({ "/r": [303, "/next"] });
    const answer = await follow(post(`https://public.test:${server.port}/r`, { headers }));
    const { "Content-Type": _type, ...kept } = headers;
    const expected = Object.fromEntries(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]));
    expect(seen(answer.body)).toMatchObject({ line: "GET /next public.test", body: "", headers: expected });
    expect(seen(answer.body).headers["content-type"]).toBeUndefined();
  });

  it.each<[string, (port: number, other: number) => string]>([
    ["another host", (port) => `https://hooks.test:${port}/next`],
    ["another port", (_port, other) => `https://public.test:${other}/next`],
  ])("brings %s no header that says who asks", async (_name, location) => {
    const other = await startRedirecting({});
    const table: Record<string, readonly [number, string]> = {};
    const server = await startRedirecting(table);
    table["/r"] = [302, location(server.port, other.port)];
    const answer = await follow(post(`https://public.test:${server.port}/r`, { headers }));
    const { host: _host, connection: _connection, ...received } = seen(answer.body).headers;
    expect(received).toEqual({
      accept: "text/html",
      "accept-language": "de",
      "user-agent": "test",
      "accept-encoding": "identity",
    });
    expect(seen(answer.body).body).toBe("");
  });

  it.each<[EgressRequest["method"], number, string]>([
    ["GET", 301, "GET"],
    ["GET", 303, "GET"],
    ["GET", 308, "GET"],
    ["HEAD", 302, "HEAD"],
    ["HEAD", 303, "HEAD"],
    ["POST", 301, "GET"],
    ["POST", 302, "GET"],
    ["POST", 303, "GET"],
    ["PUT", 303, "GET"],
    ["DELETE", 303, "GET"],
  ])("makes of a %s with %i a %s", async (method, status, followed) => {
    const server = await startRedirecting({ "/r": [status, "/next"] });
    const body = method === "POST" || method === "PUT" ? { body: new TextEncoder().encode("{}") } : {};
    await follow(get(`https://public.test:${server.port}/r`, { method, ...body }));
    expect(server.requests).toEqual([`${method} /r public.test`, `${followed} /next public.test`]);
  });

  it.each<[EgressRequest["method"], number]>([
    ["POST", 307],
    ["POST", 308],
    ["PUT", 301],
    ["PATCH", 302],
    ["DELETE", 307],
  ])("is none for a %s with %i", async (method, status) => {
    const server = await startRedirecting({ "/r": [status, "/next"] });
    expect(await failureOf(follow(get(`https://public.test:${server.port}/r`, { method })))).toMatchObject({
      code: "REDIRECT_REFUSED",
      reason: expect.stringContaining(`a ${method} is not repeated`),
      answerStatus: status,
      bytesMayHaveLeft: true,
    });
    expect(server.requests).toHaveLength(1);
  });

  it("has what is left of the one deadline", async () => {
    const server = await startServer(
      (request, response) => {
        if (request.url === "/r") response.writeHead(302, { location: "/silent" }).end();
      },
      { certificate: "service" },
    );
    const startedAt = performance.now();
    const failure = await failureOf(follow(get(`https://public.test:${server.port}/r`, { timeoutMs: 300 })));
    expect(failure).toMatchObject({ code: "TIMEOUT", message: "the service did not respond within 300 ms" });
    expect(performance.now() - startedAt).toBeLessThan(1_300);
  });

  it("asks beforeSend again, and is not followed when that throws", async () => {
    const server = await startRedirecting({ "/r": [302, "/next"] });
    const stopped = new Error("stopped");
    let asked = 0;
    const beforeSend = () => {
      asked += 1;
      if (asked === 2) throw stopped;
    };
    await expect(follow(get(`https://public.test:${server.port}/r`, { beforeSend }))).rejects.toBe(stopped);
    expect(server.requests).toHaveLength(1);
  });

  it("can be cancelled", async () => {
    const controller = new AbortController();
    const server = await startServer(
      (request, response) => {
        if (request.url === "/r") response.writeHead(302, { location: "/silent" }).end();
        else controller.abort();
      },
      { certificate: "service" },
    );
    const { signal } = controller;
    expect(await failureOf(follow(get(`https://public.test:${server.port}/r`, { signal })))).toMatchObject({
      code: "CANCELLED",
      bytesMayHaveLeft: true,
    });
  });
});
