import { describe, expect, it } from "vitest";
import {
  type CallOutcome,
  createMemoryIdempotencyStore,
  type IdempotencyStore,
  type Tool,
  ToolError,
} from "../src/index.ts";
import { callTool } from "../src/testing.ts";
import { NOW_MS } from "./support/calls.ts";
import { createGate } from "./support/gate.ts";
import { call, handlerOf, toolThat, typedTool } from "./support/tools.ts";

/** A handler whose tool does the next of the given things at each run. */
function handlerThat(...runs: Tool["execute"][]) {
  let count = 0;
  const tool = toolThat((parameters, context) => {
    count += 1;
    const run = runs[count - 1];
    if (run === undefined) throw new Error(`run ${count} was not expected`);
    return run(parameters, context);
  });
  return { ...handlerOf(tool), runs: () => count };
}

const never = () => new Promise(() => {});
const busy = () => Promise.reject(new ToolError("BUSY", "come again", { retryable: true }));
const crash = () => Promise.reject(new Error("crash"));
const same = (changed: Parameters<typeof call>[0] = {}) => call({ toolCallId: "tc_1", timeoutMs: 2_000, ...changed });

describe("fifty duplicates at once", () => {
  it.each<[string, Tool["execute"], Record<string, unknown>]>([
    ["succeeds", async () => ({ orders: 1 }), { status: 200, result: { orders: 1 } }],
    ["fails for good", () => Promise.reject(new ToolError("NO", "no")), { status: 200, error: { code: "NO" } }],
    ["fails for now", busy, { status: 200, error: { code: "BUSY", retryable: true } }],
    ["crashes", crash, { status: 500, error: { code: "INTERNAL" } }],
  ])("run once and share the answer when the run %s", async (_name, end, expected) => {
    const gate = createGate();
    const { handler, runs } = handlerThat(async (parameters, context) => {
      await gate.opened;
      return end(parameters, context);
    });
    const answers = Array.from({ length: 50 }, () => callTool(handler, same()));
    gate.open();
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ isSigned: true, ...expected });
    expect(runs()).toBe(1);
  });
});

describe("a later attempt", () => {
  it.each<[string, Tool["execute"]]>([
    ["a result", async () => "done"],
    ["a failure that is final", () => Promise.reject(new ToolError("NO", "no"))],
  ])("gets the first one's answer when that was %s", async (_name, first) => {
    const { handler, runs } = handlerThat(first);
    const { toolCallId: _id, ...answer } = await callTool(handler, same());
    expect(await callTool(handler, same({ attempt: 2 }))).toMatchObject(answer);
    expect(runs()).toBe(1);
  });

  it.each<[string, Tool["execute"]]>([
    ["a failure that may be repeated", busy],
    ["a crash", crash],
    ["something that is not JSON", () => 1n],
    ["no answer in time", never],
  ])("runs again when the first one had %s", async (_name, first) => {
    const { handler, runs } = handlerThat(first, () => "second");
    expect((await callTool(handler, same({ timeoutMs: 1_000 }))).result).toBeUndefined();
    expect((await callTool(handler, same({ attempt: 2 }))).result).toBe("second");
    expect(runs()).toBe(2);
  });

  it("that joined the first one runs by itself when that fails for now", async () => {
    const gate = createGate();
    const first: Tool["execute"] = async () => {
      await gate.opened;
      return busy();
    };
    const { handler, runs } = handlerThat(first, () => "second");
    const answers = [callTool(handler, same()), callTool(handler, same({ attempt: 2 }))];
    gate.open();
    expect(await Promise.all(answers)).toMatchObject([{ error: { code: "BUSY" } }, { result: "second" }]);
    expect(runs()).toBe(2);
  });

  it("gets the result of a first one that ended after its time", async () => {
    const gate = createGate();
    const { handler, runs } = handlerThat(async () => {
      await gate.opened;
      return "late";
    });
    expect((await callTool(handler, same({ timeoutMs: 1_000 }))).status).toBe(504);
    gate.open();
    await gate.opened;
    expect((await callTool(handler, same({ attempt: 2 }))).result).toBe("late");
    expect(runs()).toBe(1);
  });
});

it("a duplicate whose own time is over first stops waiting", async () => {
  const gate = createGate<string>();
  const { handler } = handlerThat(() => gate.opened);
  const first = callTool(handler, same());
  expect(await callTool(handler, same({ timeoutMs: 50 }))).toMatchObject({ status: 504, error: { code: "TIMEOUT" } });
  gate.open("done");
  expect((await first).result).toBe("done");
});

it("a run out of time leaves to the gateway what is made of it: nothing says that a repetition is safe", async () => {
  const { handler } = handlerThat(never);
  const start = performance.now();
  const { status, error } = await callTool(handler, same({ timeoutMs: 50 }));
  expect(performance.now() - start).toBeGreaterThan(140);
  expect({ status, error }).toMatchObject({ status: 504, error: { code: "TIMEOUT", retryable: false } });
});

describe("the same id with another content", () => {
  const conflict = { status: 409, isSigned: true, error: { code: "CALL_CONFLICT" } };

  it.each<[string, Parameters<typeof call>[0]]>([
    ["other parameters", { parameters: { orderId: "ORD-2" } }],
    ["more parameters", { parameters: { orderId: "ORD-12345", extra: 1 } }],
    ["another name", { name: "cancel_order" }],
    ["another name that is no tool's", { name: "no_such_tool" }],
  ])("is refused and runs nothing: %s", async (_name, changed) => {
    let cancelled = 0;
    const cancel = { ...toolThat(() => (cancelled += 1)), name: "cancel_order" };
    const gate = createGate();
    const { handler } = handlerOf([toolThat(() => gate.opened), cancel]);
    const first = callTool(handler, same());
    expect(await callTool(handler, same(changed))).toMatchObject(conflict);
    gate.open();
    expect((await first).status).toBe(200);
    expect(await callTool(handler, same(changed))).toMatchObject(conflict);
    expect(cancelled).toBe(0);
  });

  it("is refused after a failure that may be repeated, too", async () => {
    const { handler, runs } = handlerThat(busy);
    await callTool(handler, same());
    expect(await callTool(handler, same({ attempt: 2, parameters: {} }))).toMatchObject(conflict);
    expect(runs()).toBe(1);
  });

  it("is not seen in another order of the same members", async () => {
    const { handler, runs } = handlerThat(() => "done");
    await callTool(handler, same({ parameters: { a: 1, b: 2 } }));
    expect((await callTool(handler, same({ parameters: { b: 2, a: 1 } }))).result).toBe("done");
    expect(runs()).toBe(1);
  });
});

it("a call with wrong parameters leaves nothing behind that would stop the right one", async () => {
  const { handler } = handlerOf(typedTool);
  expect((await callTool(handler, same({ parameters: { orderId: 1 } }))).status).toBe(422);
  expect((await callTool(handler, same({ parameters: { orderId: 1 } }))).status).toBe(422);
});

it("remembers a call for twice the tolerance", async () => {
  const clock = { nowMs: NOW_MS };
  let runs = 0;
  const { handler } = handlerOf(
    toolThat(() => (runs += 1)),
    {
      now: () => clock.nowMs,
      toleranceSeconds: 60,
      idempotency: createMemoryIdempotencyStore({ now: () => clock.nowMs }),
    },
  );
  await callTool(handler, same({ timestampMs: clock.nowMs }));
  clock.nowMs += 119_999;
  await callTool(handler, same({ timestampMs: clock.nowMs }));
  expect(runs).toBe(1);
  clock.nowMs += 1;
  await callTool(handler, same({ timestampMs: clock.nowMs }));
  expect(runs).toBe(2);
});

describe("a store that fails", () => {
  const working = createMemoryIdempotencyStore();
  const down = () => Promise.reject(new Error("connection refused"));

  it("at the claim runs nothing", async () => {
    let runs = 0;
    const { handler, logger } = handlerOf(
      toolThat(() => (runs += 1)),
      { idempotency: storeWith({ claim: down }) },
    );
    expect(await callTool(handler, call())).toMatchObject({ status: 500, isSigned: true, error: { code: "INTERNAL" } });
    expect(runs).toBe(0);
    expect(logger.lines).toMatchObject([{ level: "error" }]);
  });

  it.each<[string, Partial<IdempotencyStore>, Tool["execute"], Record<string, unknown>]>([
    ["recording a result", { complete: down }, () => "done", { result: "done" }],
    ["recording a release", { release: down }, busy, { error: { code: "BUSY" } }],
  ])("when it is %s does not change the answer", async (_name, broken, execute, expected) => {
    const { handler, logger } = handlerOf(toolThat(execute), { idempotency: storeWith(broken) });
    expect(await callTool(handler, call())).toMatchObject(expected);
    expect(logger.lines).toMatchObject([{ level: "error", message: "the idempotency store failed" }]);
  });

  function storeWith(broken: Partial<IdempotencyStore>): IdempotencyStore {
    return {
      claim: broken.claim ?? ((request) => working.claim(request)),
      complete: broken.complete ?? ((key, holder, outcome) => working.complete(key, holder, outcome)),
      release: broken.release ?? ((key, holder, outcome) => working.release(key, holder, outcome)),
      wait: (key, signal) => working.wait(key, signal),
    };
  }
});

it("works with a store that can't tell those who wait how the run ended", async () => {
  const memory = createMemoryIdempotencyStore();
  const mute: IdempotencyStore = {
    claim: (request) => memory.claim(request),
    complete: (key, holder, outcome: CallOutcome) => memory.complete(key, holder, outcome),
    release: (key, holder, outcome: CallOutcome) => memory.release(key, holder, outcome),
    wait: async (key, signal) => {
      await memory.wait(key, signal);
      return undefined;
    },
  };
  const gate = createGate();
  let runs = 0;
  const tool = toolThat(async () => {
    runs += 1;
    await gate.opened;
    return "done";
  });
  const { handler } = handlerOf(tool, { idempotency: mute });
  const answers = [1, 2, 3].map(() => callTool(handler, same()));
  gate.open();
  for (const answer of await Promise.all(answers)) expect(answer.result).toBe("done");
  expect(runs).toBe(1);
});
