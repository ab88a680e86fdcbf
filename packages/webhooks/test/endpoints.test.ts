import { YagateError } from "@yagate/protocol";
import { describe, expect, it, vi } from "vitest";
import { createWorld, failureOf, NOW, openEndpointStore, WORKSPACE } from "./support/dispatch-world.ts";
import { type Reply, send, startHandler, startReplier } from "./support/handler-server.ts";

const page = { limit: 50 };

describe("a handler that answers 410", () => {
  it("is gone: its endpoint is disabled, and nothing is sent to it any more", async () => {
    const handler = await startReplier({ status: 410 });
    const world = await createWorld();
    expect(failureOf(await world.attempt(handler.url))).toMatchObject({
      code: "HANDLER_GONE",
      source: "gateway",
      isRetryable: false,
      outcome: "none",
    });

    const report = await world.attempt(handler.url);
    expect(failureOf(report)).toMatchObject({ code: "ENDPOINT_DISABLED", isRetryable: false, outcome: "none" });
    expect(report).toMatchObject({ requestBytes: 0, request: { body: "" }, response: null });
    expect(handler.calls).toHaveLength(1);
  });

  it("is called again once its endpoint is enabled, and can be disabled again", async () => {
    let status = 410;
    const handler = await startHandler((response) => send(response, { status, body: { result: "back" } }));
    const world = await createWorld();
    await world.attempt(handler.url);
    const [endpoint] = (await world.endpoints.list(WORKSPACE, page)).data;
    expect(endpoint).toEqual({
      id: "ep_1",
      workspaceId: WORKSPACE,
      url: handler.url,
      disabledAt: NOW,
      reason: "the handler responded with 410 Gone",
      inFlight: 0,
      queued: 0,
      circuit: { state: "closed", attempts: 1, failures: 0, retryAt: null },
    });

    status = 200;
    const enabled = await world.endpoints.enable(WORKSPACE, "ep_1");
    expect(enabled).toMatchObject({ id: "ep_1", disabledAt: null });
    expect((await world.attempt(handler.url)).answer).toEqual({ result: "back" });

    status = 410;
    await world.attempt(handler.url);
    expect(failureOf(await world.attempt(handler.url)).code).toBe("ENDPOINT_DISABLED");
    expect((await world.endpoints.list(WORKSPACE, page)).data).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ["an error body", { status: 410, body: { error: { code: "ORDER_GONE", message: "the order is gone" } } }],
    ["an error of another form", { status: 410, body: { error: "order gone" } }],
    ["an error that says HANDLER_GONE", { status: 410, body: { error: { code: "HANDLER_GONE", message: "no" } } }],
  ])("stays enabled when it answers with %s", async (_name, reply) => {
    const handler = await startReplier(reply);
    const world = await createWorld();
    await world.attempt(handler.url);
    await world.attempt(handler.url);
    expect(handler.calls).toHaveLength(2);
    expect((await world.endpoints.list(WORKSPACE, page)).data).toMatchObject([{ url: handler.url, disabledAt: null }]);
  });

  it("is disabled for its workspace and its URL only", async () => {
    const handler = await startHandler((response, call) =>
      send(response, call.path === "/tools/lookup_order" ? { status: 410 } : { body: { result: 1 } }),
    );
    const world = await createWorld();
    await world.attempt(handler.url);
    expect((await world.attempt(`${handler.url}/other`)).answer).toEqual({ result: 1 });
    await world.attempt(handler.url, { workspaceId: "ws_02" });
    expect(handler.calls).toHaveLength(3);
    await expect(world.endpoints.enable("ws_03", "ep_1")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(failureOf(await world.attempt(handler.url)).code).toBe("ENDPOINT_DISABLED");
  });

  it("is disabled once when calls of the same moment hear it", async () => {
    const handler = await startReplier({ status: 410 });
    const world = await createWorld();
    const reports = await Promise.all([1, 2, 3].map(() => world.attempt(handler.url)));
    expect(reports.map((report) => failureOf(report).code)).toEqual(Array(3).fill("HANDLER_GONE"));
    expect((await world.endpoints.list(WORKSPACE, page)).data).toHaveLength(1);
  });
});

describe("the memory of disabled endpoints", () => {
  it("outlives the process", async () => {
    const handler = await startReplier({ status: 410 });
    const store = await openEndpointStore();
    await (await createWorld({ store })).attempt(handler.url);
    const next = await createWorld({ store });
    expect(failureOf(await next.attempt(handler.url)).code).toBe("ENDPOINT_DISABLED");
    expect(handler.calls).toHaveLength(1);
  });

  it("learns what another process disabled and enabled, when it looks again", async () => {
    const handler = await startReplier({ status: 410 });
    const store = await openEndpointStore();
    const [here, there] = [await createWorld({ store }), await createWorld({ store })];
    await here.attempt(handler.url);
    await there.endpoints.load();
    expect(failureOf(await there.attempt(handler.url)).code).toBe("ENDPOINT_DISABLED");
    const [endpoint] = (await here.endpoints.list(WORKSPACE, page)).data;
    await here.endpoints.enable(WORKSPACE, endpoint?.id ?? "");
    await there.endpoints.load();
    expect(failureOf(await there.attempt(handler.url)).code).toBe("HANDLER_GONE");
  });

  it("does not take what it read before a change of its own for newer than that", async () => {
    const handler = await startReplier({ status: 410 });
    const store = await openEndpointStore();
    let answer = Promise.resolve();
    const world = await createWorld({
      store: {
        ...store,
        async listDisabled() {
          const rows = await store.listDisabled();
          await answer;
          return rows;
        },
      },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = promise;
    const loading = world.endpoints.load();
    await world.attempt(handler.url);
    resolve();
    await loading;
    expect(failureOf(await world.attempt(handler.url)).code).toBe("ENDPOINT_DISABLED");
  });

  it("does not take what it read while a change of its own was being written for newer than that", async () => {
    const handler = await startReplier({ status: 410 });
    const store = await openEndpointStore();
    const writing = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const world = await createWorld({
      store: {
        ...store,
        async disable(endpoint) {
          begun.resolve();
          await writing.promise;
          return store.disable(endpoint);
        },
      },
    });
    const attempt = world.attempt(handler.url);
    await begun.promise;
    await world.endpoints.load();
    expect(world.endpoints.isDisabled(WORKSPACE, handler.url)).toBe(true);
    writing.resolve();
    await attempt;
    await world.endpoints.load();
    expect(world.endpoints.isDisabled(WORKSPACE, handler.url)).toBe(true);
  });

  it("holds even when the store can't write it down, and says so", async () => {
    const handler = await startReplier({ status: 410 });
    const full = new YagateError("UNAVAILABLE", "the disk is full");
    const store = { ...(await openEndpointStore()), disable: () => Promise.reject(full) };
    const world = await createWorld({ store });
    expect(failureOf(await world.attempt(handler.url)).code).toBe("HANDLER_GONE");
    expect(world.errors).toEqual([full]);
    expect(failureOf(await world.attempt(handler.url)).code).toBe("ENDPOINT_DISABLED");
  });
});

describe("the list of endpoints", () => {
  it("has every URL that a call went to, once, from the first call on", async () => {
    const handler = await startReplier({ body: { result: 1 } });
    const store = await openEndpointStore();
    const world = await createWorld({ store });
    expect((await world.endpoints.list(WORKSPACE, page)).data).toEqual([]);
    for (const path of ["a", "b", "a"]) await world.attempt(`${handler.url}/${path}`);
    await (await createWorld({ store })).attempt(`${handler.url}/b`);
    const { data } = await world.endpoints.list(WORKSPACE, page);
    expect(data.map(({ url, disabledAt }) => ({ url, disabledAt }))).toEqual([
      { url: `${handler.url}/b`, disabledAt: null },
      { url: `${handler.url}/a`, disabledAt: null },
    ]);
    expect((await world.endpoints.list("ws_02", page)).data).toEqual([]);
  });

  it("gets what the store refused with the next call", async () => {
    const handler = await startReplier({ body: { result: 1 } });
    const store = await openEndpointStore();
    const full = new YagateError("UNAVAILABLE", "the disk is full");
    let isFull = true;
    const world = await createWorld({
      store: { ...store, add: (endpoint) => (isFull ? Promise.reject(full) : store.add(endpoint)) },
    });
    expect((await world.attempt(handler.url)).answer).toEqual({ result: 1 });
    expect(world.errors).toEqual([full]);
    isFull = false;
    await world.attempt(handler.url);
    expect((await world.endpoints.list(WORKSPACE, page)).data).toHaveLength(1);
  });

  it("forgets what was counted of those that were used longest ago, when there are more than 10 000", async () => {
    const world = await createWorld();
    const use = (url: string, workspaceId = WORKSPACE) => {
      const turn = world.endpoints.trafficTo(workspaceId, url).enter();
      if (typeof turn === "object") turn.end("working");
    };
    use("https://other.example/", "ws_02");
    for (let number = 0; number < 10_000; number += 1) use(`https://shop.example/${number}`);
    const data = await vi.waitFor(
      async () => {
        const listed = (await world.endpoints.list(WORKSPACE, { limit: 20_000 })).data;
        expect(listed).toHaveLength(10_000);
        return listed;
      },
      { timeout: 10_000, interval: 50 },
    );
    const forgotten = data.filter(({ circuit }) => circuit.attempts === 0).map(({ url }) => url);
    expect(forgotten).toEqual(["https://shop.example/0"]);
    expect((await world.endpoints.list("ws_02", page)).data).toMatchObject([{ circuit: { attempts: 1 } }]);
    expect(world.errors).toEqual([]);
  });

  it("says once a day that an endpoint is used", async () => {
    const store = await openEndpointStore();
    const handler = await startReplier({ body: { result: 1 } });
    const used: number[] = [];
    let now = NOW;
    const world = await createWorld({
      now: () => now,
      store: {
        ...store,
        add(endpoint) {
          used.push(endpoint.usedAt - NOW);
          return store.add(endpoint);
        },
      },
    });
    for (const laterMs of [0, 1, 86_399_999, 86_400_000, 86_400_001, 200_000_000]) {
      now = NOW + laterMs;
      await world.attempt(handler.url);
    }
    expect(used).toEqual([0, 86_400_000, 200_000_000]);
  });
});
