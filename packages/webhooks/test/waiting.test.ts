import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { QueueFullError, unsentFailure } from "../../calls/src/failure.ts";
import { createWorld, failureOf, NOW, WORKSPACE } from "./support/dispatch-world.ts";
import { send, startHandler, startReplier } from "./support/handler-server.ts";

const ok = (response: ServerResponse | undefined) => response !== undefined && send(response, { body: { result: 1 } });

/** A handler whose answers the test gives. */
async function startHeld() {
  const responses: ServerResponse[] = [];
  const handler = await startHandler((response) => void responses.push(response));
  return {
    ...handler,
    responses,
    arrived: (count: number) =>
      vi.waitFor(() => expect(responses).toHaveLength(count), { timeout: 10_000, interval: 2 }),
  };
}

describe("an attempt whose endpoint is busy", () => {
  it("is sent when one before it has ended, in the order of arrival", async () => {
    const handler = await startHeld();
    const world = await createWorld({ limits: { concurrency: 2, queue: 10 } });
    const attempts = [1, 2, 3, 4].map((number) => world.attempt(handler.url, { attempt: number }));
    await handler.arrived(2);
    expect((await world.endpoints.list(WORKSPACE, { limit: 1 })).data).toMatchObject([{ inFlight: 2, queued: 2 }]);
    ok(handler.responses[0]);
    await handler.arrived(3);
    ok(handler.responses[1]);
    await handler.arrived(4);
    ok(handler.responses[2]);
    ok(handler.responses[3]);
    for (const attempt of attempts) expect((await attempt).answer).toEqual({ result: 1 });
    const order = handler.calls.map(({ body }) => JSON.parse(body.toString()).attempt);
    // The first two left at the same time, over two connections.
    expect([order.slice(0, 2).toSorted(), order.slice(2)]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("does not wait for another endpoint, nor for another workspace", async () => {
    const held = await startHeld();
    const free = await startReplier({ body: { result: 1 } });
    const world = await createWorld({ limits: { concurrency: 1, queue: 10 } });
    const first = world.attempt(held.url);
    await held.arrived(1);
    expect((await world.attempt(free.url)).answer).toEqual({ result: 1 });
    const other = world.attempt(held.url, { workspaceId: "ws_02" });
    await held.arrived(2);
    ok(held.responses[0]);
    ok(held.responses[1]);
    await Promise.all([first, other]);
  });

  it("has its whole timeout from its turn on, and a body that says so", async () => {
    const handler = await startHeld();
    let now = NOW;
    const world = await createWorld({ now: () => now, limits: { concurrency: 1, queue: 10 } });
    const first = world.attempt(handler.url, { tool: { timeout: 60_000 }, deadline: NOW + 60_000 });
    await handler.arrived(1);
    const second = world.attempt(handler.url, {
      tool: { timeout: 1_000 },
      deadline: NOW + 1_000,
      latestDeadline: NOW + 60_000,
    });
    now += 700;
    ok(handler.responses[0]);
    await handler.arrived(2);
    ok(handler.responses[1]);
    await Promise.all([first, second]);
    expect(JSON.parse(handler.calls[1]?.body.toString() ?? "")).toMatchObject({
      timestamp: new Date(NOW + 700).toISOString(),
      deadline: new Date(NOW + 1_700).toISOString(),
    });
  });

  it("is not sent if it may no longer run when its turn comes, and gives its slot back", async () => {
    const handler = await startHeld();
    const world = await createWorld({ limits: { concurrency: 1, queue: 10 } });
    const first = world.attempt(handler.url);
    await handler.arrived(1);
    let asked = 0;
    const refusalAfterWait = async () => {
      asked += 1;
      return unsentFailure("TOOL_HELD", "the definition of the tool is no longer accepted");
    };
    const second = world.attempt(handler.url, { refusalAfterWait });
    const third = world.attempt(handler.url, { refusalAfterWait: async () => undefined });
    expect(asked).toBe(0);
    ok(handler.responses[0]);
    expect(failureOf(await second)).toMatchObject({ code: "TOOL_HELD", outcome: "none" });
    await handler.arrived(2);
    ok(handler.responses[1]);
    await Promise.all([first, third]);
    expect([asked, handler.calls.length]).toEqual([1, 2]);
  });

  it("has what is left of the execution's time, when that is less", async () => {
    const handler = await startHeld();
    let now = NOW;
    const world = await createWorld({ now: () => now, limits: { concurrency: 1, queue: 10 } });
    const first = world.attempt(handler.url);
    await handler.arrived(1);
    const second = world.attempt(handler.url, { deadline: NOW + 1_000, latestDeadline: NOW + 1_200 });
    now += 700;
    ok(handler.responses[0]);
    await handler.arrived(2);
    ok(handler.responses[1]);
    await Promise.all([first, second]);
    const { deadline } = JSON.parse(handler.calls[1]?.body.toString() ?? "");
    expect(deadline).toBe(new Date(NOW + 1_200).toISOString());
  });

  it("never outlives the execution's time", async () => {
    const handler = await startHeld();
    const world = await createWorld({ limits: { concurrency: 1, queue: 10 } });
    const first = world.attempt(handler.url);
    await handler.arrived(1);
    const startedAt = performance.now();
    const second = await world.attempt(handler.url, { deadline: NOW + 10, latestDeadline: NOW + 30 });
    expect(failureOf(second)).toMatchObject({ code: "TIMEOUT", outcome: "none" });
    expect(second.durationMs).toBeGreaterThanOrEqual(29);
    expect(second.durationMs).toBeLessThanOrEqual(performance.now() - startedAt);
    ok(handler.responses[0]);
    await first;
    expect(handler.calls).toHaveLength(1);
  });

  it.each(["signal", "unsentSignal"])("leaves at once when its %s is aborted", async (name) => {
    const handler = await startHeld();
    const world = await createWorld({ limits: { concurrency: 1, queue: 10 } });
    const first = world.attempt(handler.url);
    await handler.arrived(1);
    const controller = new AbortController();
    const second = world.attempt(handler.url, { [name]: controller.signal });
    controller.abort();
    expect(failureOf(await second)).toMatchObject({ code: "CANCELLED", outcome: "none" });
    ok(handler.responses[0]);
    await first;
    expect(handler.calls).toHaveLength(1);
  });

  it("fails as RATE_LIMITED when enough of them wait already", async () => {
    const handler = await startHeld();
    const world = await createWorld({ limits: { concurrency: 1, queue: 1 } });
    const accepted = [world.attempt(handler.url), world.attempt(handler.url)];
    expect(failureOf(await world.attempt(handler.url))).toMatchObject({
      code: "RATE_LIMITED",
      source: "gateway",
      isRetryable: true,
      outcome: "none",
    });
    await handler.arrived(1);
    ok(handler.responses[0]);
    await handler.arrived(2);
    ok(handler.responses[1]);
    await Promise.all(accepted);
  });

  it("rejects instead, if it can be postponed, but not where none may wait", async () => {
    const handler = await startHeld();
    const world = await createWorld({ limits: { concurrency: 1, queue: 1 } });
    const told: boolean[] = [];
    const onQueued = (isQueued: boolean) => told.push(isQueued);
    const accepted = [world.attempt(handler.url), world.attempt(handler.url, { onQueued, isPostponable: true })];
    await expect(world.attempt(handler.url, { onQueued, isPostponable: true })).rejects.toThrow(QueueFullError);
    await handler.arrived(1);
    expect(told).toEqual([true]);
    ok(handler.responses[0]);
    await handler.arrived(2);
    expect(told).toEqual([true, false]);
    ok(handler.responses[1]);
    await Promise.all(accepted);
    const strict = await createWorld({ limits: { concurrency: 1, queue: 0 } });
    const first = strict.attempt(handler.url);
    const failure = failureOf(await strict.attempt(handler.url, { isPostponable: true }));
    expect(failure).toMatchObject({ code: "RATE_LIMITED", outcome: "none" });
    await handler.arrived(3);
    ok(handler.responses[2]);
    await first;
  });

  it("is not sent when the handler said in the meantime that it is gone", async () => {
    const handler = await startHeld();
    const world = await createWorld({ limits: { concurrency: 1, queue: 10 } });
    const first = world.attempt(handler.url);
    const second = world.attempt(handler.url);
    await handler.arrived(1);
    const [response] = handler.responses;
    if (response !== undefined) send(response, { status: 410 });
    expect(failureOf(await first).code).toBe("HANDLER_GONE");
    expect(failureOf(await second)).toMatchObject({ code: "ENDPOINT_DISABLED", outcome: "none" });
    expect(handler.calls).toHaveLength(1);
  });
});

describe("an attempt that may be stopped as long as nothing has left", () => {
  it("is stopped before its connection is made", async () => {
    const handler = await startHeld();
    const controller = new AbortController();
    const world = await createWorld({
      policy: {
        lookup: (_name, _options, callback) => {
          controller.abort();
          callback(null, [{ address: "127.0.0.1", family: 4 }]);
        },
      },
    });
    const url = handler.url.replace("127.0.0.1", "orders.test");
    expect(failureOf(await world.attempt(url, { unsentSignal: controller.signal }))).toMatchObject({
      code: "CANCELLED",
      outcome: "none",
    });
    expect(handler.calls).toHaveLength(0);
  });

  it("goes on once it has left", async () => {
    const handler = await startHeld();
    const controller = new AbortController();
    const attempt = (await createWorld()).attempt(handler.url, { unsentSignal: controller.signal });
    await handler.arrived(1);
    controller.abort();
    ok(handler.responses[0]);
    expect((await attempt).answer).toEqual({ result: 1 });
  });
});
