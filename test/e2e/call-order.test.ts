import { setTimeout } from "node:timers/promises";
import type { HandlerToolInput } from "@yagate/client";
import { defineTool } from "@yagate/handler";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startService } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

interface Span {
  readonly tool: string;
  readonly order: string;
  readonly toolCallId: string;
  readonly startedAt: number;
  endedAt: number;
}

const NAMES = ["look", "change", "close"] as const;

/** How long a call lasts that runs alone: one that wrongly runs beside it is seen. */
const ALONE_MS = 50;

/**
 * A service that records when its tools run.
 * @param together - groups of calls that may run together, such as `look A`: none ends before all of its group have
 * begun.
 */
async function startRecordingService(secret: string, together: readonly (readonly string[])[] = []) {
  const spans: Span[] = [];
  const groups = together.map((calls) => ({ missing: new Set(calls), begun: Promise.withResolvers<void>() }));
  async function untilGroupHasBegun(call: string): Promise<void> {
    const group = groups.find(({ missing }) => missing.delete(call));
    if (group?.missing.size === 0) group.begun.resolve();
    await (group?.begun.promise ?? setTimeout(ALONE_MS));
  }
  const tools = NAMES.map((name) =>
    defineTool({
      name,
      description: "Works on an order.",
      parameters: z.object({ orderId: z.string() }),
      async execute({ orderId }, { toolCallId }) {
        const span = { tool: name, order: orderId, toolCallId, startedAt: performance.now(), endedAt: 0 };
        spans.push(span);
        await untilGroupHasBegun(`${name} ${orderId}`);
        span.endedAt = performance.now();
        return `${name} ${orderId}`;
      },
    }),
  );
  return { url: await startService(secret, tools), spans };
}

function overlaps(one: Span, other: Span): boolean {
  return one.startedAt < other.endedAt && other.startedAt < one.endedAt;
}

const call = (name: (typeof NAMES)[number], orderId: string) => ({ name, parameters: { orderId } });

describe("the calls of one turn", () => {
  it("read together, write to one order in the model's order, and come back as they were asked for", async () => {
    const world = await openWorld();
    const { url, spans } = await startRecordingService(world.secret, [["look A", "look B", "change B"]]);
    const tool = (name: string, rest: Partial<HandlerToolInput>): HandlerToolInput => ({
      name,
      description: "Works on an order.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
      handler: url,
      ...rest,
    });
    const resourceKey = "order:$" + "{orderId}";
    const tools = [
      tool("look", { sideEffect: "read_only" }),
      tool("change", { sideEffect: "idempotent_write", resourceKey }),
      tool("close", { sideEffect: "non_idempotent_write", resourceKey, dependsOn: ["look"], parallelGroup: "last" }),
    ];
    const asked = [
      call("close", "A"),
      call("change", "A"),
      call("change", "B"),
      call("look", "A"),
      call("look", "B"),
      call("change", "A"),
    ];
    const execution = await world.play(tools, [{ toolCalls: asked }, { text: "done" }]);
    expect(execution.toolCalls.map(({ status, result }) => [status, result])).toEqual(
      asked.map(({ name, parameters }) => ["completed", `${name} ${parameters.orderId}`]),
    );
    const spansOf = (name: string, order: string) => spans.filter((span) => span.tool === name && span.order === order);
    const [closeA] = spansOf("close", "A");
    const [firstChange, secondChange] = spansOf("change", "A");
    const [changeB] = spansOf("change", "B");
    const [lookA] = spansOf("look", "A");
    const [lookB] = spansOf("look", "B");
    if (!closeA || !firstChange || !secondChange || !changeB || !lookA || !lookB) throw new Error("expected six calls");
    expect(overlaps(lookA, lookB)).toBe(true);
    expect(overlaps(changeB, lookA)).toBe(true);
    expect(closeA.startedAt).toBeGreaterThanOrEqual(Math.max(lookA.endedAt, lookB.endedAt));
    expect(firstChange.startedAt).toBeGreaterThanOrEqual(closeA.endedAt);
    expect(secondChange.startedAt).toBeGreaterThanOrEqual(firstChange.endedAt);
    expect(firstChange.toolCallId).toBe(execution.toolCalls[1]?.id);
  });

  it("write alone where nothing says to which order, beside writes that do", async () => {
    const world = await openWorld();
    const { url, spans } = await startRecordingService(world.secret, [
      ["change A", "change B"],
      ["change C", "change D"],
    ]);
    const tool = (name: string, rest: Partial<HandlerToolInput>): HandlerToolInput => ({
      name,
      description: "Works on an order.",
      parameters: { type: "object", properties: { orderId: { type: "string" }, key: { type: "string" } } },
      handler: url,
      sideEffect: "non_idempotent_write",
      ...rest,
    });
    const tools = [tool("change", { resourceKey: "order:$" + "{key}" }), tool("close", {})];
    const change = (orderId: string, key?: string) => ({
      name: "change",
      parameters: { orderId, ...(key && { key }) },
    });
    const keyed = (orderId: string) => change(orderId, orderId);
    const asked = [keyed("A"), keyed("B"), call("close", "A"), change("A"), keyed("C"), keyed("D")];
    const { toolCalls } = await world.play(tools, [{ toolCalls: asked }, { text: "done" }]);
    expect(toolCalls.map(({ status }) => status)).toEqual(asked.map(() => "completed"));
    const spanOf = (place: number) => spans.find(({ toolCallId }) => toolCallId === toolCalls[place]?.id);
    const [changeA, changeB, closeA, changeAny, changeC, changeD] = [0, 1, 2, 3, 4, 5].map(spanOf);
    if (!changeA || !changeB || !closeA || !changeAny || !changeC || !changeD) throw new Error("expected six calls");
    for (const alone of [closeA, changeAny]) {
      expect(spans.filter((span) => span !== alone && overlaps(span, alone))).toEqual([]);
    }
    expect(overlaps(changeA, changeB)).toBe(true);
    expect(overlaps(changeC, changeD)).toBe(true);
  });

  it("are refused where what they depend on was not called, and the model can make good for it", async () => {
    const world = await openWorld();
    const { url, spans } = await startRecordingService(world.secret);
    const parameters = { type: "object" } as const;
    const tools = [
      { name: "look", description: "Looks.", parameters, handler: url },
      { name: "close", description: "Closes.", parameters, handler: url, dependsOn: ["look"] },
    ];
    const turns = [
      { toolCalls: [call("close", "A")] },
      { toolCalls: [call("look", "A"), call("close", "A")] },
      { text: "done" },
    ];
    const { toolCalls } = await world.play(tools, turns);
    expect(toolCalls.map(({ name, error }) => [name, error?.code])).toEqual([
      ["close", "DEPENDENCY_FAILED"],
      ["look", undefined],
      ["close", undefined],
    ]);
    expect(spans.map(({ tool }) => tool)).toEqual(["look", "close"]);
  });

  it("can't be declared so that none could be the first", async () => {
    const world = await openWorld();
    const parameters = { type: "object" } as const;
    const at = "https://orders.example/";
    const tools = [
      { name: "look", description: "Looks.", parameters, handler: at, dependsOn: ["close"] },
      { name: "close", description: "Closes.", parameters, handler: at, dependsOn: ["look"] },
    ];
    await expect(world.createAgent(tools)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      fieldErrors: [
        { path: "tools[0].dependsOn[0]", code: "DEPENDENCY_CYCLE" },
        { path: "tools[1].dependsOn[0]", code: "DEPENDENCY_CYCLE" },
      ],
    });
  });
});
