import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { candidatePorts, freePort } from "./free-port.ts";

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

describe("a free port", () => {
  it("can be listened on, and is given once", async () => {
    const ports: number[] = [];
    for (let count = 0; count < 100; count += 1) ports.push(await freePort());
    expect(new Set(ports).size).toBe(100);
    for (const port of ports.slice(0, 10)) await listen(port);
  });

  it("is not one that is taken", async () => {
    const port = await freePort();
    await listen(port + 1);
    expect(await freePort()).not.toBe(port + 1);
  });

  it.runIf(process.platform === "linux")("is not one that the system gives to others", async () => {
    const range = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
    const [first = 0, last = 0] = range.split(/\s+/).map(Number);
    const port = await freePort();
    expect(port < first || port > last).toBe(true);
  });
});

it.each([
  ["of Linux", { first: 32_768, last: 60_999 }, [10_081, 32_767, 61_000, 65_535], [32_768, 60_999, 10_080]],
  ["of other systems", { first: 49_152, last: 65_535 }, [10_081, 49_151], [49_152, 65_535]],
  ["that leaves no others", { first: 1024, last: 65_535 }, [10_081, 65_535], [10_080]],
])("the ports outside of the range %s", (_name, range, included, excluded) => {
  const ports = new Set(candidatePorts(range));
  expect(included.filter((port) => !ports.has(port))).toEqual([]);
  expect(excluded.filter((port) => ports.has(port))).toEqual([]);
});
