import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { expectStatus } from "../../http/support/agents.ts";
import { startNetworkWorld, TOKEN } from "./support/network-world.ts";

const world = await startNetworkWorld();
const { service } = world;
const other = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
await once(other, "listening");
afterAll(() => other.close());
const connections: unknown[] = [];
other.on("connection", (socket) => connections.push(socket));
const { port } = other.address() as AddressInfo;

const wide = { name: "wide", allowedDomains: ["*.wide.test", "named.wide.test"], ports: [443, port] };
expectStatus(await world.call("createIntegration", { body: wide }), 201);
await world.secret("K", TOKEN, { hosts: ["*.wide.test"] });
const agent = await world.agent({ integrations: ["wide"], credentials: ["K"] });

describe("a name that a model makes up below a wildcard", () => {
  it.each<[string, string, string]>([
    ["is not reached by http", service.url("/", "made-up.wide.test"), "URL_BLOCKED"],
    ["is not reached by http on a port of the integration", `http://made-up.wide.test:${port}/`, "URL_BLOCKED"],
    ["is not reached on another port", `https://made-up.wide.test:${service.port}/`, "URL_BLOCKED"],
    ["leads into no opened network", `https://made-up.wide.test:${port}/`, "DNS_BLOCKED"],
  ])("%s", async (_what, url, code) => {
    service.requests.length = 0;
    connections.length = 0;
    const calls = [
      await world.one(agent, "http_get", { url }),
      await world.one(agent, "api_call", { method: "GET", url, credential: "K" }),
    ];
    for (const call of calls) expect(call).toMatchObject({ status: "failed", blocked: true, error: { code } });
    expect([...service.requests, ...connections]).toEqual([]);
  });

  it("is kept apart from one that a person wrote down beside it", async () => {
    const call = await world.one(agent, "http_get", { url: service.url("/named", "named.wide.test") });
    expect(call).toMatchObject({ status: "completed" });
    expect(service.requests).toMatchObject([{ url: "/named" }]);
  });
});
