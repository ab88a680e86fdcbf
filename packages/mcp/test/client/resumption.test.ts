import type { Resumption } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { callMcpTool, type McpCall } from "../../src/client/call-tool.ts";
import type { McpEndpoint } from "../../src/client/port.ts";
import { openGuard } from "./support/guarded.ts";
import { startResumableServer } from "./support/resumable-server.ts";

const endpointOf = openGuard();

function call(endpoint: McpEndpoint, change: Partial<McpCall> = {}) {
  return callMcpTool(endpoint, {
    ...{ name: "work", arguments: {}, parameters: { type: "object" }, timeoutMs: 20_000, maxResponseBytes: 1_000_000 },
    ...{ signal: new AbortController().signal, verdict: { kind: "legacy" } },
    ...change,
  });
}

/** Starts a call and gives it up as soon as another process could resume it. */
async function handOver(endpoint: McpEndpoint): Promise<Resumption> {
  const detaching = new AbortController();
  const resumable = Promise.withResolvers<Resumption>();
  const given = call(endpoint, { detach: detaching.signal, onResumable: resumable.resolve }).catch((error) => error);
  const resumption = await resumable.promise;
  detaching.abort();
  expect(await given).toMatchObject({ outcome: "unknown" });
  return resumption;
}

describe("a call that one process gives up and another resumes", () => {
  it("runs once, and its result is read", async () => {
    const server = await startResumableServer();
    const endpoint = endpointOf(server.url);
    const resumption = await handOver(endpoint);
    expect(resumption.protocolVersion).toBe("2025-11-25");
    await server.progress();
    const resumed = call(endpoint, { resumption: JSON.parse(JSON.stringify(resumption)) });
    server.finish();
    expect(await resumed).toMatchObject({ value: "work ran 1 times", verdict: undefined });
    const calls = server.requests.filter(({ body }) => body.includes("tools/call"));
    expect(calls).toHaveLength(1);
    expect(server.requests.some(({ body }) => body.includes("notifications/cancelled"))).toBe(false);
    expect(server.ended).toEqual([resumption.sessionId]);
  });

  it("is only read if the server was last known to use the newest revision", async () => {
    const server = await startResumableServer();
    const resumption = await handOver(endpointOf(server.url));
    const discover = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
    const verdict = { kind: "modern", discover: { ...discover, serverInfo: { name: "a", version: "1" } } } as const;
    const before = server.requests.length;
    const resumed = call(endpointOf(server.url), { resumption, verdict });
    server.finish();
    expect(await resumed).toMatchObject({ value: "work ran 1 times" });
    expect(server.requests.slice(before).map(({ method }) => method)).toEqual(["GET", "DELETE"]);
  });

  it("is lost if the server has ended before its result was read", async () => {
    const server = await startResumableServer();
    const resumption = await handOver(endpointOf(server.url));
    server.forget();
    expect(await call(endpointOf(server.url), { resumption })).toEqual({ isResumptionLost: true });
  });

  it("is lost if the server does not know the event", async () => {
    const server = await startResumableServer();
    const resumption = await handOver(endpointOf(server.url));
    const unknown = { ...resumption, eventId: "unknown" };
    expect(await call(endpointOf(server.url), { resumption: unknown })).toEqual({ isResumptionLost: true });
  });

  it("is not resumed before the process may send", async () => {
    const server = await startResumableServer();
    const resumption = await handOver(endpointOf(server.url));
    const before = server.requests.length;
    const veto = new Error("not the owner");
    const beforeSend = () => {
      throw veto;
    };
    await expect(call(endpointOf(server.url), { resumption, beforeSend })).rejects.toBe(veto);
    expect(server.requests.slice(before).filter(({ method }) => method === "GET")).toEqual([]);
  });
});

it("a call whose events have no ids ends its session when its process gives it up", async () => {
  const server = await startResumableServer({ hasEvents: false });
  const detaching = new AbortController();
  const reported: Resumption[] = [];
  const given = call(endpointOf(server.url), {
    detach: detaching.signal,
    onResumable: (resumption) => reported.push(resumption),
  });
  await server.called("work", 1);
  detaching.abort();
  await expect(given).rejects.toMatchObject({ code: "CANCELLED", outcome: "unknown" });
  expect(reported).toEqual([]);
  expect(server.ended).toHaveLength(1);
});
