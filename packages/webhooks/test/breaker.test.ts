import { describe, expect, it } from "vitest";
import { freePort } from "../../../test/services/free-port.ts";
import { startServer } from "../../egress/test/support/servers.ts";
import {
  createWorld,
  type DispatchWorld,
  failureOf,
  NOW,
  WORKSPACE,
  type WorldOptions,
} from "./support/dispatch-world.ts";
import { type Reply, send, startHandler, startRawHandler, startReplier } from "./support/handler-server.ts";

const HANDLER_ERROR = { error: { code: "NETWORK_ERROR", message: "the warehouse is offline", retryable: true } };

/** Sends so many attempts one after another and gives the codes that they ended with. */
async function codes(world: DispatchWorld, url: string, count: number, rest?: Parameters<DispatchWorld["attempt"]>[1]) {
  const found: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { answer } = await world.attempt(url, rest);
    found.push("failure" in answer ? answer.failure.code : "result");
  }
  return found;
}

async function circuitOf(world: DispatchWorld) {
  return (await world.endpoints.list(WORKSPACE, { limit: 1 })).data[0]?.circuit;
}

describe("the circuit of an endpoint", () => {
  it.each<[string, Reply, string]>([
    ["503", { status: 503 }, "HANDLER_ERROR"],
    ["429", { status: 429 }, "HANDLER_ERROR"],
    ["500 with an error of its own", { status: 500, body: HANDLER_ERROR }, "NETWORK_ERROR"],
    ["503 with a body that is too large", { status: 503, body: "x".repeat(3_000) }, "RESPONSE_TOO_LARGE"],
  ])("opens after ten answers of %s, and then nothing is sent", async (_name, reply, code) => {
    const handler = await startReplier(reply);
    const world = await createWorld({ maxResponseBytes: 2_000 });
    expect(await codes(world, handler.url, 10)).toEqual(Array(10).fill(code));
    const report = await world.attempt(handler.url);
    expect(failureOf(report)).toMatchObject({
      code: "CIRCUIT_OPEN",
      source: "gateway",
      isRetryable: false,
      outcome: "none",
    });
    expect(report).toMatchObject({ requestBytes: 0, request: { body: "" }, response: null });
    expect(handler.calls).toHaveLength(10);
  });

  it.each<[string, Reply]>([
    ["200 with an error that is called like one of the network", { status: 200, body: HANDLER_ERROR }],
    ["400", { status: 400 }],
    ["404 with an error that asks for a retry", { status: 404, body: HANDLER_ERROR }],
    ["302", { status: 302 }],
    ["something that is no answer of the contract", { body: "<html>" }],
    ["a body that is too large", { body: "x".repeat(3_000) }],
  ])("stays closed when it answers %s", async (_name, reply) => {
    const handler = await startReplier(reply);
    const world = await createWorld({ maxResponseBytes: 2_000 });
    await codes(world, handler.url, 12);
    expect(handler.calls).toHaveLength(12);
    expect(await circuitOf(world)).toEqual({ state: "closed", attempts: 12, failures: 0, retryAt: null });
  });

  it("counts no 5xx whose error says that a repetition can't help: every call is told what is wrong", async () => {
    const error = { code: "BODY_ALREADY_PARSED", message: "mount the handler first", retryable: false };
    const handler = await startReplier({ status: 500, body: { error } });
    const world = await createWorld();
    expect(await codes(world, handler.url, 12)).toEqual(Array(12).fill("BODY_ALREADY_PARSED"));
    expect(await circuitOf(world)).toEqual({ state: "closed", attempts: 0, failures: 0, retryAt: null });
  });

  it("opens after 5xx that a tool does not believe, whatever they say of repetitions", async () => {
    const handler = await startReplier({ status: 500, body: { error: { code: "A", message: "a", retryable: false } } });
    const world = await createWorld();
    await codes(world, handler.url, 10, { tool: { requireSignedAnswer: true } });
    expect(await circuitOf(world)).toMatchObject({ state: "open", attempts: 10, failures: 10 });
  });

  it("opens when nobody listens, when connections break, and when certificates are wrong", async () => {
    const broken = await startRawHandler((socket) => socket.destroy());
    const untrusted = await startServer((_request, response) => response.end(), { certificate: "other" });
    const urls = [`http://127.0.0.1:${await freePort()}/`, broken.url, `https://127.0.0.1:${untrusted.port}/`];
    for (const url of urls) {
      const world = await createWorld();
      await codes(world, url, 10);
      expect(await codes(world, url, 1)).toEqual(["CIRCUIT_OPEN"]);
    }
  });

  it("opens after timeouts, but not after those of executions that had no time", async () => {
    const handler = await startRawHandler(() => {});
    const hurried = await createWorld();
    const late = { tool: { timeout: 10_000 }, deadline: NOW + 20 };
    await Promise.all(Array.from({ length: 12 }, () => hurried.attempt(handler.url, late)));
    expect(await circuitOf(hurried)).toMatchObject({ state: "closed", attempts: 0 });

    const world = await createWorld();
    const fair = { tool: { timeout: 20 }, deadline: NOW + 20 };
    await Promise.all(Array.from({ length: 10 }, () => world.attempt(handler.url, fair)));
    expect(await circuitOf(world)).toMatchObject({ state: "open", retryAt: expect.any(Number) });
  });

  it("learns nothing from attempts that were cancelled, vetoed, blocked or never signed", async () => {
    const handler = await startRawHandler(() => {});
    const options: WorldOptions = { secrets: { other: [] } };
    const world = await createWorld(options);
    for (let index = 0; index < 12; index += 1) {
      const controller = new AbortController();
      const attempt = world.attempt(handler.url, {
        signal: controller.signal,
        beforeSend: () => setImmediate(() => controller.abort()),
      });
      expect(failureOf(await attempt).code).toBe("CANCELLED");
      const veto = () => {
        throw new Error("not now");
      };
      await expect(world.attempt(handler.url, { beforeSend: veto })).rejects.toThrow("not now");
      await world.attempt(handler.url, { tool: { signingSecret: "other" } });
    }
    expect(await circuitOf(world)).toEqual({ state: "closed", attempts: 0, failures: 0, retryAt: null });
  });

  it("lets one attempt through after 30 s, and all of them when that works", async () => {
    let status = 503;
    let now = 1_000;
    const handler = await startHandler((response) => send(response, { status, body: { result: 1 } }));
    const world = await createWorld({ monotonicNow: () => now });
    await codes(world, handler.url, 10);
    expect(await circuitOf(world)).toEqual({ state: "open", attempts: 10, failures: 10, retryAt: NOW + 30_000 });
    now += 29_999;
    expect(await codes(world, handler.url, 1)).toEqual(["CIRCUIT_OPEN"]);
    now += 1;
    const both = await Promise.all([world.attempt(handler.url), world.attempt(handler.url)]);
    expect(both.map((report) => failureOf(report).code)).toEqual(["HANDLER_ERROR", "CIRCUIT_OPEN"]);
    now += 30_000;
    expect(await circuitOf(world)).toEqual({ state: "half_open", attempts: 10, failures: 10, retryAt: null });
    status = 200;
    expect(await codes(world, handler.url, 3)).toEqual(["result", "result", "result"]);
    expect(await circuitOf(world)).toMatchObject({ state: "closed", attempts: 2, failures: 0 });
  });

  it("is closed by whoever enables the endpoint", async () => {
    let status = 503;
    const handler = await startHandler((response) => send(response, { status, body: { result: 1 } }));
    const world = await createWorld();
    await codes(world, handler.url, 10);
    status = 200;
    expect(await codes(world, handler.url, 1)).toEqual(["CIRCUIT_OPEN"]);
    expect(await world.endpoints.enable(WORKSPACE, "ep_1")).toMatchObject({ circuit: { state: "closed" } });
    expect(await codes(world, handler.url, 1)).toEqual(["result"]);
  });

  it("is that of one URL and one workspace", async () => {
    const handler = await startReplier({ status: 503 });
    const world = await createWorld();
    await codes(world, handler.url, 10);
    expect(await codes(world, `${handler.url}/other`, 1)).toEqual(["HANDLER_ERROR"]);
    expect(await codes(world, handler.url, 1, { workspaceId: "ws_02" })).toEqual(["HANDLER_ERROR"]);
    expect(await codes(world, handler.url, 1)).toEqual(["CIRCUIT_OPEN"]);
  });
});
