import type { Response } from "express";
import { describe, expect, it, vi } from "vitest";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld, type World } from "./support/world.ts";

const TURNS = [calls("lookup_order"), { text: "done" }];
const ok = (response: Response | undefined) => void response?.json({ result: "shipped" });

/** A service whose answers the test gives, in the order in which the calls came. */
async function startHeldService() {
  const responses: Response[] = [];
  const service = await startRawService((response) => void responses.push(response));
  return {
    ...service,
    responses,
    arrived: (count: number) =>
      vi.waitFor(() => expect(responses).toHaveLength(count), { timeout: 10_000, interval: 2 }),
  };
}

async function endpointOf({ client }: World, url: string) {
  const endpoint = (await client.endpoints.list().toArray()).find((each) => each.url === url);
  if (endpoint === undefined) throw new Error("expected the endpoint in the list");
  return endpoint;
}

describe("an endpoint that fails", () => {
  it("is left alone after ten failures, until a person enables it", async () => {
    const world = await openWorld();
    let isWell = false;
    const service = await startRawService((response) => (isWell ? ok(response) : void response.status(503).end()));
    const agent = await world.createAgent([toolAt(service.url)]);
    const play = async () => {
      const request = { input: "go", script: { turns: TURNS } };
      return (await world.client.agents.execute(agent.id, request)).toolCalls[0];
    };
    for (let round = 0; round < 10; round += 1)
      expect(await play()).toMatchObject({ error: { code: "HANDLER_ERROR" } });
    expect(await play()).toMatchObject({
      status: "failed",
      error: { code: "CIRCUIT_OPEN", source: "gateway", outcome: "none", retryable: false, attempts: 1 },
      attempts: [{ errorCode: "CIRCUIT_OPEN", outcome: "none", requestBytes: 0 }],
    });
    expect(service.calls).toHaveLength(10);

    const endpoint = await endpointOf(world, service.url);
    expect(endpoint).toMatchObject({ status: "enabled", inFlight: 0, queued: 0, circuit: { state: "open" } });
    expect(Date.parse(endpoint.circuit.retryAt ?? "") - Date.now()).toBeGreaterThan(20_000);
    isWell = true;
    expect(await world.client.endpoints.enable(endpoint.id)).toMatchObject({ circuit: { state: "closed" } });
    expect(await play()).toMatchObject({ status: "completed", result: "shipped" });
    expect((await endpointOf(world, service.url)).circuit).toMatchObject({ attempts: 1, failures: 0 });
  });

  it("ends the call that was about to try again, of which nobody knows any more what it did", async () => {
    const world = await openWorld();
    const service = await startRawService(() => {});
    const tool = toolAt(service.url, { timeout: 500, retries: 10, sideEffect: "read_only" });
    const turns = [calls(...Array(10).fill("lookup_order")), { text: "done" }];
    const { toolCalls } = await world.play([tool], turns);
    expect(service.calls).toHaveLength(10);
    for (const call of toolCalls) {
      expect(call).toMatchObject({
        error: { code: "CIRCUIT_OPEN", outcome: "unknown", attempts: 2 },
        attempts: [
          { errorCode: "TIMEOUT", outcome: "unknown" },
          { errorCode: "CIRCUIT_OPEN", outcome: "none" },
        ],
      });
    }
  });

  it("is not one whose tools say that they failed", async () => {
    const world = await openWorld();
    const error = { code: "TIMEOUT", message: "the warehouse did not answer" };
    const service = await startRawService((response) => void response.json({ error }));
    const turns = [calls(...Array(12).fill("lookup_order")), { text: "done" }];
    const { toolCalls } = await world.play([toolAt(service.url)], turns);
    expect(toolCalls.map((call) => call.error?.source)).toEqual(Array(12).fill("handler"));
    expect(await endpointOf(world, service.url)).toMatchObject({ circuit: { state: "closed", failures: 0 } });
  });
});

describe("an endpoint that is asked for more than it is sent at once", () => {
  it("is sent one after another, each with its whole timeout", async () => {
    const world = await openWorld({ endpointConcurrency: 1 });
    const service = await startHeldService();
    const turns = [calls("lookup_order", "lookup_order", "lookup_order"), { text: "done" }];
    const playing = world.play([toolAt(service.url, { timeout: 5_000 })], turns);
    for (let count = 1; count <= 3; count += 1) {
      await service.arrived(count);
      expect(await endpointOf(world, service.url)).toMatchObject({ inFlight: 1, queued: 3 - count });
      ok(service.responses[count - 1]);
    }
    const { toolCalls } = await playing;
    expect(toolCalls.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    for (const { body } of service.calls) {
      const { timestamp, deadline } = JSON.parse(body.toString());
      expect(Date.parse(deadline) - Date.parse(timestamp)).toBeGreaterThan(4_900);
    }
  });

  it("refuses what may not even wait: surely nothing happened", async () => {
    const world = await openWorld({ endpointConcurrency: 1, endpointQueue: 0 });
    const service = await startHeldService();
    const turns = [calls("lookup_order", "lookup_order"), { text: "done" }];
    const playing = world.play([toolAt(service.url)], turns);
    await service.arrived(1);
    ok(service.responses[0]);
    const { toolCalls } = await playing;
    expect(toolCalls.filter(({ status }) => status === "completed")).toHaveLength(1);
    expect(toolCalls.find(({ status }) => status === "failed")).toMatchObject({
      error: { code: "RATE_LIMITED", source: "gateway", outcome: "none", retryable: true },
    });
    expect(service.calls).toHaveLength(1);
  });

  it("gives a waiting call no more time than its execution has", async () => {
    const world = await openWorld({ endpointConcurrency: 1 });
    const service = await startHeldService();
    const agent = await world.createAgent([toolAt(service.url, { timeout: 60_000 })]);
    const script = { turns: TURNS };
    const { id } = await world.client.agents.start(agent.id, { input: "go", script });
    await service.arrived(1);
    const hurried = { input: "go", script, limits: { maxWallTimeMs: 150 } };
    const { stopReason, toolCalls } = await world.client.agents.execute(agent.id, hurried);
    expect(stopReason).toBe("maxWallTimeMs");
    expect(toolCalls).toMatchObject([{ error: { outcome: "none" }, attempts: [{ requestBytes: 0 }] }]);
    ok(service.responses[0]);
    expect(await world.client.executions.events(id).result()).toMatchObject({ stopReason: "final" });
    expect(service.calls).toHaveLength(1);
  });

  it.each(["read_only", "non_idempotent_write"] as const)(
    "lets a %s of a cancelled execution leave its queue at once",
    async (sideEffect) => {
      const world = await openWorld({ endpointConcurrency: 1 });
      const service = await startHeldService();
      const agent = await world.createAgent([toolAt(service.url, { sideEffect })]);
      const request = { input: "go", script: { turns: TURNS } };
      const first = await world.client.agents.start(agent.id, request);
      await service.arrived(1);
      const second = await world.client.agents.start(agent.id, request);
      await vi.waitFor(async () => expect(await endpointOf(world, service.url)).toMatchObject({ queued: 1 }), {
        timeout: 10_000,
      });

      await world.client.executions.cancel(second.id);
      expect(await world.client.executions.events(second.id).result()).toMatchObject({
        status: "cancelled",
        toolCalls: [{ status: "cancelled", attempts: [{ errorCode: "CANCELLED", outcome: "none", requestBytes: 0 }] }],
      });
      // The other one is still on its way.
      expect(await endpointOf(world, service.url)).toMatchObject({ inFlight: 1, queued: 0 });
      ok(service.responses[0]);
      expect(await world.client.executions.events(first.id).result()).toMatchObject({ stopReason: "final" });
      expect(service.calls).toHaveLength(1);
    },
  );
});

describe("an answer that comes too late", () => {
  it("is in the record, and nothing of it is used", async () => {
    const world = await openWorld();
    const slow = await startHeldService();
    const other = await startHeldService();
    const agent = await world.createAgent([
      toolAt(slow.url, { name: "slow", timeout: 800, sideEffect: "non_idempotent_write" }),
      toolAt(other.url, { name: "other" }),
    ]);
    const script = { turns: [calls("slow"), calls("other"), { text: "done" }] };
    const stream = world.client.agents.stream(agent.id, { input: "go", script });
    const late: object[] = [];
    for await (const event of stream) {
      // By now the model has read that the call timed out.
      if (event.type === "attempt.started" && event.url === other.url) {
        await slow.arrived(1);
        slow.responses[0]?.json({ result: "too late" });
      }
      if (event.type === "tool_call.late") {
        late.push(event);
        await other.arrived(1);
        ok(other.responses[0]);
      }
    }
    const { toolCalls, output } = await stream.result();
    expect(late).toMatchObject([{ toolCallId: toolCalls[0]?.id, httpStatus: 200, responseBytes: 21 }]);
    expect(output?.text).toBe("done");
    expect(toolCalls[0]).toMatchObject({ status: "failed", error: { code: "TIMEOUT", outcome: "unknown" } });
    expect(JSON.stringify(toolCalls)).not.toContain("too late");
    const attempt = await world.client.attempts.get(toolCalls[0]?.attempts[0]?.id ?? "");
    expect(attempt).toMatchObject({ errorCode: "TIMEOUT", response: null, lateAnswer: { httpStatus: 200 } });
    // Timers may end up to a millisecond early.
    expect(attempt.lateAnswer?.elapsedMs).toBeGreaterThanOrEqual(799);
  });

  it("is no result of the attempt that follows either", async () => {
    const world = await openWorld();
    const slow = await startHeldService();
    const playing = world.play([toolAt(slow.url, { timeout: 500, retries: 1, sideEffect: "read_only" })], TURNS);
    await slow.arrived(2);
    slow.responses[0]?.json({ result: "of the first" });
    slow.responses[1]?.json({ result: "of the second" });
    const { toolCalls } = await playing;
    expect(toolCalls).toMatchObject([{ result: "of the second", attempts: [{ errorCode: "TIMEOUT" }, {}] }]);
  });
});
