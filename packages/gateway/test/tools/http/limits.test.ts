import { describe, expect, it } from "vitest";
import { startNetworkWorld, TOKEN } from "./support/network-world.ts";

const world = await startNetworkWorld({
  plans: {
    standard: { callsPerExecution: 3, callsPerMinute: 1_000, responseBytes: 100 },
    hasty: { callsPerMinute: 2, callsPerExecution: 50 },
    pro: { callsPerMinute: 1_000 },
  },
});
const { service } = world;
await world.secret("SHOP", TOKEN);
const agent = await world.agent({ credentials: ["SHOP"] });
const get = { name: "http_get", parameters: { url: service.url("/") } };

describe("the plan of a workspace", () => {
  it("bounds the calls of an execution, whatever else is wrong with the next one", async () => {
    const wrong = { name: "api_call", parameters: { method: "GET", url: "nowhere" } };
    const { calls } = await world.run(agent, [get, get, get, get, wrong]);
    expect(calls.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      "RATE_LIMITED",
      "RATE_LIMITED",
    ]);
    expect(calls[3]).toMatchObject({
      blocked: true,
      blockReason: "rate_limited",
      cost: { credits: 0 },
      error: { retryable: false, message: expect.stringContaining("3 requests per execution") },
    });
  });

  it("counts no call that was refused for its arguments", async () => {
    const wrong = { name: "http_get", parameters: { url: service.url("/"), headers: { host: "x" } } };
    const { calls } = await world.run(agent, [wrong, wrong, get, get, get]);
    expect(calls.map(({ status }) => status)).toEqual(["failed", "failed", "completed", "completed", "completed"]);
  });

  it("cuts answers to its size", async () => {
    service.respond = (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify("x".repeat(200)));
    };
    const call = await world.one(agent, "http_get", get.parameters);
    expect(call.result).toMatchObject({ truncated: true, body: `"${"x".repeat(99)}` });
    service.respond = (_request, response) => response.end("ok");
  });

  it("lets 50 calls of an execution through and all of them are on record", async () => {
    const { body } = await world.call("listWorkspaces");
    const id = JSON.parse(JSON.stringify(body)).data[0].id;
    await world.call("updateWorkspace", { params: { id }, body: { plan: "pro" } });
    const roomy = await world.agent({ limits: { maxToolCallsPerTurn: 60 } });
    const { calls } = await world.run(
      roomy,
      Array.from({ length: 51 }, () => get),
    );
    expect(calls.filter(({ status }) => status === "completed")).toHaveLength(50);
    expect(calls.at(-1)).toMatchObject({ error: { code: "RATE_LIMITED" } });
    await world.call("updateWorkspace", { params: { id }, body: { plan: "hasty" } });
  });

  it("bounds the calls of a minute, and says when to try again", async () => {
    const { calls } = await world.run(agent, [get, get, get]);
    // The executions before have used up the minute.
    expect(calls.map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
    const [refused] = calls;
    expect(refused?.error).toMatchObject({ code: "RATE_LIMITED", retryable: true });
    expect(refused?.error?.message).toMatch(/2 requests per minute.*try again in \d+ s/);
  });
});
