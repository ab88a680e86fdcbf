import type { Limits } from "@yagate/client";
import type { Response } from "express";
import { describe, expect, it } from "vitest";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld, type World } from "./support/world.ts";

type Behaviour = "answers" | "fails";

/** Ten tokens, as the model reads it: 40 characters of JSON. */
const TEN_TOKENS = "x".repeat(38);
const rounds = (count: number) => [
  ...Array.from({ length: count }, () => calls("lookup_order")),
  { text: "the answer" },
];

/** Plays rounds of calls under a limit. */
async function playUnder(limits: Partial<Limits>, behaviour: Behaviour, count: number) {
  const world = await openWorld();
  const { url, calls: arrived } = await startRawService((response) => {
    if (behaviour === "answers") response.json({ result: TEN_TOKENS });
    else response.status(400).end();
  });
  const execution = await world.play([toolAt(url)], rounds(count), { limits });
  return { execution, sent: arrived.length };
}

describe("a limit of an execution", () => {
  it.each<[keyof Limits, number, Behaviour, number]>([
    ["maxToolIterations", 0, "answers", 0],
    ["maxToolIterations", 1, "answers", 1],
    ["maxToolIterations", 3, "answers", 3],
    ["maxToolResultTokens", 10, "answers", 1],
    ["maxToolResultTokens", 30, "answers", 3],
    ["maxSameToolRetries", 0, "fails", 1],
    ["maxSameToolRetries", 1, "fails", 2],
    ["maxSameToolRetries", 2, "fails", 3],
  ])("%s (%i), where its tool %s: %i rounds are inside it, one more is not", async (limit, value, behaviour, most) => {
    const inside = await playUnder({ [limit]: value }, behaviour, most);
    expect(inside.execution).toMatchObject({
      status: "completed",
      stopReason: "final",
      output: { text: "the answer" },
    });
    expect(inside.sent).toBe(most);

    const { execution, sent } = await playUnder({ [limit]: value }, behaviour, most + 1);
    expect(execution).toMatchObject({ status: "completed", stopReason: limit, error: null });
    expect(execution.output?.text).toContain(`(${limit})`);
    // What was on its way when the limit was reached has run; it is one round more only where its result was too much.
    expect(sent).toBe(limit === "maxToolResultTokens" ? most + 1 : most);
    for (const call of execution.toolCalls.slice(sent)) expect(call.error?.code).toBe("BUDGET_EXCEEDED");
  });

  it.each<[string, object, object]>([
    ["maxToolCallsPerTurn", { limits: { maxToolCallsPerTurn: 2 } }, {}],
    ["maxCallsPerTurn of its tool", {}, { maxCallsPerTurn: 2 }],
  ])("%s lets so many run, tells the model of the others, and ends nothing", async (_name, request, tool) => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService((response) => void response.json({ result: 1 }));
    const turn = calls("lookup_order", "lookup_order");
    const more = calls("lookup_order", "lookup_order", "lookup_order");
    const execution = await world.play([toolAt(url, tool)], [turn, more, { text: "the answer" }], request);
    expect(execution.stopReason).toBe("final");
    expect(execution.toolCalls.map(({ turn, status, error }) => [turn, error?.code ?? status])).toEqual([
      [1, "completed"],
      [1, "completed"],
      [2, "completed"],
      [2, "completed"],
      [2, "BUDGET_EXCEEDED"],
    ]);
    expect(arrived).toHaveLength(4);
  });

  it("maxCallsPerTurn of one tool leaves the others alone, and is kept with the agent", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService((response) => void response.json({ result: 1 }));
    const tools = [toolAt(url, { name: "once", maxCallsPerTurn: 1 }), toolAt(url, { name: "often" })];
    const agent = await world.createAgent(tools);
    expect(agent.tools).toMatchObject([{ maxCallsPerTurn: 1 }, {}]);
    const script = { turns: [calls("once", "often", "once", "often"), { text: "the answer" }] };
    const { toolCalls } = await world.client.agents.execute(agent.id, { input: "go", script });
    expect(toolCalls.map(({ error }) => error?.code)).toEqual([undefined, undefined, "BUDGET_EXCEEDED", undefined]);
    expect(arrived).toHaveLength(3);
  });

  it("can be lowered by an execution, and not raised: each of them", async () => {
    const world = await openWorld();
    const limits: Limits = {
      maxToolIterations: 4,
      maxToolCallsPerTurn: 5,
      maxWallTimeMs: 60_000,
      maxToolCostUsd: 1.5,
      maxToolResultTokens: 1_000,
      maxSameToolRetries: 1,
      maxCostUsd: 2.5,
      maxTotalTokens: 50_000,
    };
    const agent = await world.createAgent([], { limits });
    const startedUnder = async (wish: Partial<Limits>) => {
      const stream = world.client.agents.stream(agent.id, {
        input: "go",
        script: { turns: [{ text: "done" }] },
        limits: wish,
      });
      for await (const event of stream) if (event.type === "execution.started") return event.limits;
      throw new Error("expected an execution that starts");
    };
    const change = (by: number) => {
      const entries = Object.entries(limits).map(([name, value]) => [name, (value ?? 0) + by]);
      return Object.fromEntries(entries);
    };
    expect(await startedUnder({})).toEqual(limits);
    expect(await startedUnder(change(1))).toEqual(limits);
    const none = { maxToolCostUsd: null, maxCostUsd: null, maxTotalTokens: null };
    expect(await startedUnder(none)).toEqual(limits);
    expect(await startedUnder(change(-1))).toEqual(change(-1));
  });
});

/** A service that keeps calls waiting until the test lets them go. */
async function startHoldingService() {
  const arrivals = new Map<string, PromiseWithResolvers<Response>>();
  const closed = new Set<string>();
  const arrival = (name: string) => {
    const known = arrivals.get(name) ?? Promise.withResolvers<Response>();
    arrivals.set(name, known);
    return known;
  };
  const service = await startRawService((response, { body }) => {
    const { name } = JSON.parse(body.toString());
    response.on("close", () => closed.add(name));
    arrival(name).resolve(response);
  });
  return { ...service, arrived: (name: string) => arrival(name).promise, closed };
}

const READ = { sideEffect: "read_only" } as const;
const WRITE = { sideEffect: "non_idempotent_write" } as const;

/** Starts an execution whose first turn calls these tools. */
async function startWith(world: World, tools: ReturnType<typeof toolAt>[], limits: Partial<Limits>) {
  const agent = await world.createAgent(tools);
  const script = { turns: [calls(...tools.map(({ name }) => name)), { text: "never said" }] };
  const { id } = await world.client.agents.start(agent.id, { input: "go", script, limits });
  return id;
}

async function reached(world: World, id: string): Promise<void> {
  for await (const event of world.client.executions.events(id)) if (event.type === "limit.reached") return;
}

describe("when a limit is reached while calls are on their way", () => {
  it("the time: every call is broken off, and nobody knows what a write did", async () => {
    const world = await openWorld();
    const service = await startHoldingService();
    const tools = [
      toolAt(service.url, { name: "read", ...READ, timeout: 600_000 }),
      toolAt(service.url, { name: "write", ...WRITE, timeout: 600_000, retries: 3 }),
    ];
    const id = await startWith(world, tools, { maxWallTimeMs: 400 });
    const execution = await world.client.executions.events(id).result();
    expect(execution).toMatchObject({ status: "completed", stopReason: "maxWallTimeMs" });
    expect(execution.output?.text).toContain("400 ms");
    expect(execution.toolCalls).toMatchObject([
      {
        status: "failed",
        error: { code: "TIMEOUT", outcome: "unknown", source: "gateway" },
        attempts: [{ number: 1 }],
      },
      { status: "failed", error: { code: "TIMEOUT", outcome: "unknown", retryable: false }, attempts: [{ number: 1 }] },
    ]);
    expect(execution.toolCalls[1]?.error?.hint).toMatch(/check before/);
    expect(service.calls).toHaveLength(2);
  });

  it("the time: a call that waits for its caller ends with it, by its own error", async () => {
    const world = await openWorld();
    const holding = await startHoldingService();
    const failing = await startRawService((response) => void response.status(400).end());
    const agent = await world.createAgent([
      toolAt(holding.url, { name: "write", ...WRITE, timeout: 600_000 }),
      toolAt(failing.url, { name: "wrong" }),
    ]);
    const { id } = await world.client.agents.start(agent.id, {
      input: "go",
      script: { turns: [calls("write", "wrong"), { text: "never said" }] },
      limits: { maxWallTimeMs: 600 },
      fallbackWaitMs: 60_000,
    });
    const execution = await world.client.executions.events(id).result();
    expect(execution).toMatchObject({ status: "completed", stopReason: "maxWallTimeMs" });
    const [write, wrong] = execution.toolCalls;
    expect(write?.error).toMatchObject({ code: "TIMEOUT", outcome: "unknown" });
    expect(wrong).toMatchObject({ status: "failed", error: { code: "HANDLER_ERROR", outcome: "none" } });
    expect(wrong?.fallbackUntil).toBeUndefined();
  });

  it("another one: reads are aborted, writes are awaited and recorded, and nothing is tried again", async () => {
    const world = await openWorld();
    const holding = await startHoldingService();
    const tools = ["read", "write", "talk"].map((name) =>
      toolAt(holding.url, { name, resourceKey: name, ...(name === "read" ? READ : WRITE), timeout: 600_000 }),
    );
    const failing = await startRawService((response) => void response.status(503).set("Retry-After", "60").end());
    const id = await startWith(world, [...tools, toolAt(failing.url, { name: "busy", retries: 1 })], {
      maxToolResultTokens: 10,
    });
    const [, write, talk] = await Promise.all(["read", "write", "talk"].map(holding.arrived));
    for await (const { type } of world.client.executions.events(id)) if (type === "attempt.finished") break;
    talk?.json({ result: "x".repeat(100) });
    await reached(world, id);
    expect((await world.client.executions.get(id)).status).toBe("running");
    write?.json({ result: "written" });
    const execution = await world.client.executions.events(id).result();
    expect(execution).toMatchObject({ status: "completed", stopReason: "maxToolResultTokens" });
    expect(execution.toolCalls).toMatchObject([
      { name: "read", status: "failed", error: { code: "BUDGET_EXCEEDED", outcome: "unknown" } },
      { name: "write", status: "completed", result: "written" },
      { name: "talk", status: "completed" },
      { name: "busy", status: "failed", error: { code: "BUDGET_EXCEEDED" }, attempts: [{ number: 1 }] },
    ]);
    expect(holding.closed).toContain("read");
    expect(failing.calls).toHaveLength(1);
  });

  it("and it is cancelled as well: cancelled is what it is, and the write is recorded", async () => {
    const world = await openWorld();
    const holding = await startHoldingService();
    const tools = ["write", "talk"].map((name) =>
      toolAt(holding.url, { name, resourceKey: name, ...WRITE, timeout: 600_000 }),
    );
    const id = await startWith(world, tools, { maxToolResultTokens: 10 });
    const [write, talk] = await Promise.all(["write", "talk"].map(holding.arrived));
    talk?.json({ result: "x".repeat(100) });
    await reached(world, id);
    await world.client.executions.cancel(id);
    write?.json({ result: "written" });
    expect(await world.client.executions.events(id).result()).toMatchObject({
      status: "cancelled",
      stopReason: "cancelled",
      toolCalls: [{ status: "completed", result: "written" }, { status: "completed" }],
    });
  });
});
