import { defineTool, ToolError } from "@yagate/handler";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { calls, startService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

const order = z.object({ orderId: z.string().regex(/^ORD-\d+$/) });
const DESCRIPTION = "Look up an order.";

describe("an execution, from a client's question to its answer", () => {
  it("calls a tool that the agent got from its definition, with the call options of that definition", async () => {
    const world = await openWorld();
    const attempts: number[] = [];
    const lookupOrder = defineTool({
      name: "lookup_order",
      description: DESCRIPTION,
      parameters: order.extend({ limit: z.int().default(3) }),
      sideEffect: "read_only",
      timeout: 1_500,
      usageNotes: "Ask for the number first.",
      execute({ orderId, limit }, { attempt, remainingMs }) {
        attempts.push(attempt);
        return { orderId, limit, isWithinTimeout: remainingMs() <= 1_500 };
      },
    });
    const url = await startService(world.secret, [lookupOrder]);
    const execution = await world.play([lookupOrder.at(url)], [calls("lookup_order"), { text: "Shipped." }]);
    expect(execution).toMatchObject({
      status: "completed",
      toolCalls: [
        {
          name: "lookup_order",
          risk: "read_only",
          result: { orderId: "ORD-1", limit: 3, isWithinTimeout: true },
        },
      ],
    });
    expect(attempts).toEqual([1]);
  });

  it("retries what may be retried, runs a turn's calls at the same time, and takes the caller's fallback", async () => {
    const world = await openWorld();
    const running = new Set<string>();
    const together = Promise.withResolvers<void>();
    const meet = async (name: string) => {
      running.add(name);
      if (running.size === 2) together.resolve();
      await together.promise;
    };
    const url = await startService(world.secret, [
      defineTool({
        name: "lookup_order",
        description: DESCRIPTION,
        parameters: order,
        async execute({ orderId }, { attempt }) {
          if (attempt === 1) throw new ToolError("DATABASE_BUSY", "the database is busy", { retryable: true });
          await meet("lookup_order");
          return { orderId, status: "shipped" };
        },
      }),
      defineTool({
        name: "check_stock",
        description: DESCRIPTION,
        parameters: order,
        async execute() {
          await meet("check_stock");
          return 3;
        },
      }),
      defineTool({
        name: "shipping_quote",
        description: DESCRIPTION,
        parameters: order,
        execute() {
          throw new ToolError("CARRIER_DOWN", "the carrier does not answer", { hint: "ask again tomorrow" });
        },
      }),
    ]);
    const asked: unknown[] = [];
    const execution = await world.play(
      [
        toolAt(url, { sideEffect: "read_only", retries: 1 }),
        toolAt(url, { name: "check_stock" }),
        toolAt(url, { name: "shipping_quote" }),
      ],
      [calls("lookup_order", "check_stock", "shipping_quote"), { text: "It is on its way." }],
      {
        onToolError(error) {
          asked.push(error);
          return { result: { price: 9.9 } };
        },
      },
    );
    expect(execution).toMatchObject({
      status: "completed",
      stopReason: "final",
      output: { text: "It is on its way." },
      usage: { toolCalls: 3 },
      fallbackErrors: [],
    });
    expect(execution.toolCalls).toMatchObject([
      {
        name: "lookup_order",
        via: "handler",
        result: { orderId: "ORD-1", status: "shipped" },
        attempts: [
          { number: 1, errorCode: "DATABASE_BUSY", outcome: "none" },
          { number: 2, httpStatus: 200 },
        ],
      },
      { name: "check_stock", via: "handler", result: 3 },
      { name: "shipping_quote", via: "fallback", result: { price: 9.9 }, error: { code: "CARRIER_DOWN" } },
    ]);
    expect(asked).toMatchObject([
      {
        toolName: "shipping_quote",
        code: "CARRIER_DOWN",
        source: "handler",
        hint: "ask again tomorrow",
        outcome: "none",
        attempts: 1,
        parameters: { orderId: "ORD-1" },
      },
    ]);
  });

  it("runs the gateway's own tools, and says of one without a provider that it is not configured", async () => {
    const world = await openWorld();
    const execution = await world.play(
      [{ builtin: "calculator" }, { builtin: "datetime" }, { builtin: "web_search" }],
      [
        {
          toolCalls: [
            { name: "calculator", parameters: { expression: "0.1 + 0.2" } },
            { name: "datetime", parameters: { operation: "add", datetime: "2026-11-21T06:00:00Z", duration: "P1D" } },
            { name: "web_search", parameters: { query: "teapots" } },
          ],
        },
        { text: "done" },
      ],
    );
    const [sum, date, search] = execution.toolCalls;
    expect(sum).toMatchObject({ status: "completed", result: { value: 0.3 } });
    expect(date).toMatchObject({ status: "completed" });
    expect(JSON.stringify(date?.result)).toContain("2026-11-22T06:00:00");
    expect(search?.error).toMatchObject({ code: "NOT_CONFIGURED", source: "gateway", outcome: "none" });
    expect(execution.output?.text).toBe("done");
  });

  it("tells the model what is wrong with its calls, sends none of them, and runs the corrected one", async () => {
    const world = await openWorld();
    const arrived: string[] = [];
    const url = await startService(world.secret, [
      defineTool({
        name: "lookup_order",
        description: DESCRIPTION,
        parameters: order,
        execute: ({ orderId }) => arrived.push(orderId),
      }),
    ]);
    const execution = await world.play(
      [toolAt(url)],
      [
        {
          toolCalls: [
            { name: "lookup_order", parameters: { order: 7 } },
            { name: "lookup_orders", parameters: {} },
          ],
        },
        { toolCalls: [{ name: "lookup_order", parameters: { orderId: "seven" } }] },
        calls("lookup_order"),
        { text: "found" },
      ],
    );
    expect(execution.toolCalls).toMatchObject([
      { status: "failed", attempts: [], error: { code: "INVALID_ARGUMENTS", source: "gateway", retryable: true } },
      { status: "failed", attempts: [], kind: null, error: { code: "UNKNOWN_TOOL", source: "gateway" } },
      // The kit's schema is stricter than the one that the agent was saved with.
      { status: "failed", attempts: [{ httpStatus: 422 }], error: { code: "INVALID_ARGUMENTS", source: "handler" } },
      { status: "completed" },
    ]);
    expect(execution.toolCalls[0]?.error?.message).toContain("orderId");
    expect(execution.toolCalls[1]?.error?.message).toContain("lookup_order");
    expect(arrived).toEqual(["ORD-1"]);
  });
});
