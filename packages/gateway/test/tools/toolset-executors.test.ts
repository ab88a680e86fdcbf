import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { describe, expect, it } from "vitest";
import { NOW } from "../../../webhooks/test/support/dispatch-world.ts";
import { startReplier } from "../../../webhooks/test/support/handler-server.ts";
import { createToolsetWorld, execute, failureOf, lookupOrder } from "./toolset-world.ts";

describe("a tool behind a webhook", () => {
  it("runs as one signed attempt, with the exchange in its outcome", async () => {
    const handler = await startReplier({ body: { result: { status: "shipped" } } });
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([{ ...lookupOrder, handler: handler.url }]);
    const outcome = await execute(toolset, {
      name: "lookup_order",
      parameters: { orderId: "ORD-1" },
      attempt: 2,
      caller: { userId: "u1" },
    });
    expect(outcome.answer).toEqual({ result: { status: "shipped" } });
    expect(outcome.cost).toEqual({ usd: 0, credits: 0 });
    expect(outcome.exchange).toMatchObject({ httpStatus: 200, response: { body: '{"result":{"status":"shipped"}}' } });
    expect(outcome.exchange).not.toHaveProperty("answer");
    expect(JSON.parse(String(handler.calls[0]?.body))).toMatchObject({
      name: "lookup_order",
      parameters: { orderId: "ORD-1" },
      attempt: 2,
      caller: { userId: "u1" },
    });
  });

  it("returns a failure unchanged", async () => {
    const handler = await startReplier({ status: 503, headers: { "retry-after": "2" } });
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([{ ...lookupOrder, handler: handler.url }]);
    expect(failureOf(await execute(toolset, { name: "lookup_order" }))).toMatchObject({
      code: "HANDLER_ERROR",
      isRetryable: true,
      retryAfterMs: 2_000,
    });
  });

  it("rejects with the error of beforeSend and sends nothing", async () => {
    const handler = await startReplier({ body: { result: 1 } });
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([{ ...lookupOrder, handler: handler.url }]);
    const lapsed = new Error("the lease ran out");
    const beforeSend = () => {
      throw lapsed;
    };
    await expect(execute(toolset, { name: "lookup_order" }, { beforeSend })).rejects.toBe(lapsed);
    expect(handler.calls).toEqual([]);
  });
});

/** A tool in the place of the built-in web_search, which does what a test says. */
function searchThat(run: BuiltinTool["execute"], kind: BuiltinTool["kind"] = "compute"): BuiltinTool {
  return {
    name: "web_search",
    description: "Searches.",
    parameters: { type: "object" },
    sideEffect: "read_only",
    kind,
    isConfigured: true,
    execute: run,
  };
}

async function runSearch(tool: BuiltinTool, context: Parameters<typeof execute>[2] = {}) {
  const world = await createToolsetWorld({ configured: [tool] });
  const toolset = await world.toolsetOf([{ builtin: "web_search" }]);
  return { outcome: await execute(toolset, { name: "web_search", parameters: { query: "a" } }, context), world };
}

describe("a tool inside the gateway", () => {
  it("runs without a request of its own", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([{ builtin: "calculator" }, { builtin: "datetime" }]);
    expect(await execute(toolset, { name: "calculator", parameters: { expression: "19.99 * 3" } })).toEqual({
      answer: { result: { value: 59.97, exact: "59.97" } },
      cost: { usd: 0, credits: 0 },
    });
    const { answer } = await execute(toolset, { name: "datetime", parameters: { operation: "now" } });
    expect(JSON.stringify(answer)).toContain("2026-11-21T06:00:00");
  });

  it("returns what was wrong with the call", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([{ builtin: "calculator" }]);
    const failure = failureOf(await execute(toolset, { name: "calculator", parameters: { expression: "1 +" } }));
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENTS", source: "gateway", isRetryable: true, outcome: "none" });
    expect(failure.hint).toBe("correct the expression and call again");
  });

  it("without configuration says so", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([{ builtin: "web_search" }]);
    const call = { name: "web_search", parameters: { query: "a" } };
    expect(failureOf(await execute(toolset, call))).toMatchObject({
      code: "NOT_CONFIGURED",
      isRetryable: false,
      outcome: "none",
    });
  });

  it("gets the parameters, the clock and a signal that ends with the call", async () => {
    let signal: AbortSignal | undefined;
    const tool = searchThat(async (parameters, context) => {
      signal = context.signal;
      expect(signal.aborted).toBe(false);
      return { result: { parameters, now: context.now() } };
    });
    const { outcome } = await runSearch(tool);
    expect(outcome.answer).toEqual({ result: { parameters: { query: "a" }, now: NOW } });
    expect(signal?.aborted).toBe(true);
  });

  it("ends at its deadline, even when it hangs", async () => {
    const { outcome } = await runSearch(
      searchThat(() => new Promise(() => {})),
      { deadline: NOW + 30 },
    );
    expect(failureOf(outcome)).toMatchObject({
      code: "TIMEOUT",
      message: "web_search did not finish within 30 ms",
      isRetryable: true,
      outcome: "none",
    });
  });

  it("ends when it is cancelled, even when it hangs", async () => {
    const controller = new AbortController();
    const tool = searchThat(() => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    });
    const { outcome } = await runSearch(tool, { signal: controller.signal });
    expect(failureOf(outcome)).toMatchObject({ code: "CANCELLED", isRetryable: false, outcome: "none" });
  });

  it("does not start when it was cancelled before", async () => {
    let hasRun = false;
    const tool = searchThat(async () => {
      hasRun = true;
      return { result: 1 };
    });
    const { outcome } = await runSearch(tool, { signal: AbortSignal.abort() });
    expect(failureOf(outcome).code).toBe("CANCELLED");
    expect(hasRun).toBe(false);
  });

  it.each<[string, BuiltinTool["execute"]]>([
    ["rejects", () => Promise.reject(new Error("a secret detail"))],
    [
      "throws",
      () => {
        throw new Error("a secret detail");
      },
    ],
    ["brings no result", async () => ({ result: undefined })],
  ])("is INTERNAL, without the detail, when it %s", async (_name, run) => {
    const { outcome, world } = await runSearch(searchThat(run));
    const failure = failureOf(outcome);
    expect(failure).toMatchObject({ code: "INTERNAL", isRetryable: false, outcome: "none" });
    expect(JSON.stringify(failure)).not.toContain("secret");
    expect(world.errors).toHaveLength(1);
  });

  it("that leaves the process asks beforeSend first, one that does not never asks", async () => {
    const lapsed = new Error("the lease ran out");
    const beforeSend = () => {
      throw lapsed;
    };
    const run: BuiltinTool["execute"] = async () => ({ result: "ran" });
    await expect(runSearch(searchThat(run, "network"), { beforeSend })).rejects.toBe(lapsed);
    const { outcome } = await runSearch(searchThat(run, "compute"), { beforeSend });
    expect(outcome.answer).toEqual({ result: "ran" });
  });
});
