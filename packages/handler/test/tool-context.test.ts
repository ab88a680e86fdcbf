import { afterEach, describe, expect, it, vi } from "vitest";
import type { ToolContext } from "../src/index.ts";
import { callTool, signedCall } from "../src/testing.ts";
import { createGate } from "./support/gate.ts";
import { call, handlerOf, toolThat } from "./support/tools.ts";

afterEach(() => {
  vi.useRealTimers();
});

async function contextOf(changed: Parameters<typeof call>[0]): Promise<ToolContext> {
  const gate = createGate<ToolContext>();
  const { handler } = handlerOf(toolThat((_parameters, context) => gate.open(context)));
  await callTool(handler, call(changed));
  return gate.opened;
}

it("tells a tool which call it is", async () => {
  const ids = { toolCallId: "tc_1", agentId: "agt_1", executionId: "exec_1", attempt: 3 };
  const context = await contextOf({ ...ids, caller: { userId: "u1" } });
  expect(context).toMatchObject({ ...ids, name: "lookup_order", caller: { userId: "u1" } });
});

describe("the time that a tool has", () => {
  it.each([
    ["runs in step", 0],
    ["is slow by four minutes", -240_000],
    ["is fast by four minutes", 240_000],
  ])("is the attempt's, counted from arrival, when the gateway's clock %s", async (_name, skewMs) => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    const { remainingMs } = await run(async (context) => {
      const atStart = context.remainingMs();
      await vi.advanceTimersByTimeAsync(4_000);
      return { remainingMs: [atStart, context.remainingMs()] };
    }, skewMs);
    expect(remainingMs).toEqual([10_000, 6_000]);
  });

  async function run<Result>(execute: (context: ToolContext) => Promise<Result>, skewMs: number): Promise<Result> {
    const gate = createGate<Result>();
    const { handler } = handlerOf(toolThat(async (_parameters, context) => gate.open(await execute(context))));
    await callTool(handler, call({ timestampMs: Date.now() + skewMs, timeoutMs: 10_000 }));
    return gate.opened;
  }
});

it("lets a tool take every function out of it", async () => {
  const gate = createGate<unknown>();
  const { handler } = handlerOf(
    toolThat((_parameters, { remainingMs, defer }) => gate.open([remainingMs(), defer().toolCallId])),
  );
  const callback = { url: "https://gateway.test/v1/callbacks/tc_1", token: "yc_test" };
  await callTool(handler, call({ toolCallId: "tc_1", callback, timeoutMs: 10_000 }));
  expect(await gate.opened).toEqual([expect.toSatisfy((ms) => ms > 0 && ms <= 10_000), "tc_1"]);
});

describe("the signal", () => {
  it("aborts when the time is over, and the log can tell", async () => {
    const aborted = createGate<unknown>();
    const { handler } = handlerOf(
      toolThat((_parameters, { signal }) => {
        signal.addEventListener("abort", () => aborted.open(signal.reason));
        return new Promise(() => {});
      }),
    );
    const answer = await callTool(handler, call({ timeoutMs: 1_000 }));
    expect(answer).toMatchObject({ status: 504, isSigned: true, error: { code: "TIMEOUT" } });
    expect(await aborted.opened).toMatchObject({ name: "TimeoutError" });
  });

  it("is aborted already for a tool that first asks when the time is over", async () => {
    const asked = createGate<AbortSignal>();
    const late = createGate();
    const { handler } = handlerOf(
      toolThat(async (_parameters, context) => {
        await late.opened;
        asked.open(context.signal);
      }),
    );
    await callTool(handler, call({ timeoutMs: 1_000 }));
    late.open();
    expect((await asked.opened).aborted).toBe(true);
  });

  it("aborts when the client goes away", async () => {
    const client = new AbortController();
    const aborted = createGate<unknown>();
    const { handler } = handlerOf(
      toolThat((_parameters, { signal }) => {
        signal.addEventListener("abort", () => aborted.open(signal.reason));
        client.abort();
        return aborted.opened.then(() => "stopped");
      }),
    );
    const request = new Request(await signedCall(call()), { signal: client.signal });
    expect(await (await handler(request)).json()).toEqual({ result: "stopped" });
    expect(await aborted.opened).toMatchObject({ name: "AbortError" });
  });

  it("does not abort for a tool that is in time", async () => {
    const { signal } = await contextOf({});
    expect(signal.aborted).toBe(false);
  });
});

it("logs with the ids of the call", async () => {
  const { handler, logger } = handlerOf(
    toolThat((_parameters, context) => context.logger.info("found", { orders: 2, tool: "mine" })),
  );
  await callTool(handler, call({ toolCallId: "tc_1", executionId: "exec_1" }));
  expect(logger.lines).toEqual([
    {
      level: "info",
      message: "found",
      fields: { toolCallId: "tc_1", executionId: "exec_1", tool: "mine", orders: 2 },
    },
  ]);
});
