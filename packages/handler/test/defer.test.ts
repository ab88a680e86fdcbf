import { describe, expect, it } from "vitest";
import { type ToolCallback, type ToolContext, ToolError } from "../src/index.ts";
import { callTool } from "../src/testing.ts";
import { createGate } from "./support/gate.ts";
import { call, handlerOf, toolThat } from "./support/tools.ts";

const callback = {
  url: "https://gateway.example.com/v1/callbacks/tc_1",
  token: "token",
  expiresAt: "2027-01-16T08:00:00.000Z",
};
const asyncCall = (changed: Parameters<typeof call>[0] = {}) => call({ toolCallId: "tc_1", callback, ...changed });
const pending = { status: 202, toolCallId: "tc_1", isSigned: true, pending: true };

/** A handler whose tool does the next of the given things at each run. */
function handlerThat(...runs: ((context: ToolContext) => unknown)[]) {
  let count = 0;
  const tool = toolThat((_parameters, context) => {
    count += 1;
    return runs[count - 1]?.(context);
  });
  return { ...handlerOf(tool), runs: () => count };
}

it("gives the tool what a job needs to answer later, as JSON", async () => {
  const seen = createGate<{ given: ToolCallback | undefined; deferred: ToolCallback }>();
  const { handler } = handlerThat(({ callback: given, defer }) => seen.open({ given, deferred: defer() }));
  expect(await callTool(handler, asyncCall())).toEqual(pending);
  const { given, deferred } = await seen.opened;
  expect(deferred).toBe(given);
  expect(JSON.parse(JSON.stringify(deferred))).toEqual({ ...callback, toolCallId: "tc_1" });
});

it("has no callback for a tool that the agent does not declare async", async () => {
  const seen = createGate<ToolContext>();
  const { handler } = handlerThat((context) => seen.open(context));
  expect(await callTool(handler, call())).toMatchObject({ status: 200, result: null });
  expect((await seen.opened).callback).toBeUndefined();
});

it("a tool that is not async and defers has failed for good, and the log says what to do", async () => {
  const { handler, logger } = handlerThat(({ defer }) => defer());
  expect(await callTool(handler, call())).toMatchObject({ status: 500, error: { code: "INTERNAL", retryable: false } });
  const error = expect.objectContaining({
    code: "INVALID_REQUEST",
    message: 'defer: save the tool with "async": true',
  });
  expect(logger.lines).toMatchObject([{ level: "error", fields: { error } }]);
});

it("an async tool that does not defer is answered as any other", async () => {
  const { handler } = handlerThat(() => ({ orders: 1 }));
  expect(await callTool(handler, asyncCall())).toMatchObject({ status: 200, result: { orders: 1 } });
});

it.each<[string, (context: ToolContext) => unknown]>([
  ["nothing", ({ defer }) => void defer()],
  ["what a queue returned", ({ defer }) => ({ job: 7, callback: defer() })],
  ["what is no JSON", ({ defer }) => [defer(), 1n]],
  ["a promise", async ({ defer }) => Promise.resolve(1).then(defer)],
])("a run that deferred is pending when it returns %s", async (_name, run) => {
  const { handler } = handlerThat(run);
  expect(await callTool(handler, asyncCall())).toEqual(pending);
});

describe("a later attempt of a deferred call", () => {
  it("is pending too, and begins nothing", async () => {
    const { handler, runs } = handlerThat(({ defer }) => defer());
    await callTool(handler, asyncCall());
    // Its own callback may be written in another way: the tool's name and the parameters make a call what it is.
    const again = asyncCall({ attempt: 2, callback: { ...callback, url: `${callback.url}?again` } });
    expect(await callTool(handler, again)).toEqual(pending);
    expect(runs()).toBe(1);
  });

  it("runs again when the first one threw after it had deferred", async () => {
    const noQueue = ({ defer }: ToolContext) => {
      defer();
      throw new ToolError("NO_QUEUE", "the queue is full", { retryable: true });
    };
    const { handler, runs } = handlerThat(noQueue, ({ defer }) => defer());
    expect(await callTool(handler, asyncCall())).toMatchObject({ status: 200, error: { code: "NO_QUEUE" } });
    expect(await callTool(handler, asyncCall({ attempt: 2 }))).toEqual(pending);
    expect(runs()).toBe(2);
  });

  it("is pending when the first one deferred after its time", async () => {
    const gate = createGate();
    const { handler, runs } = handlerThat(async ({ defer }) => {
      await gate.opened;
      defer();
    });
    expect((await callTool(handler, asyncCall({ timeoutMs: 1_000 }))).status).toBe(504);
    gate.open();
    await gate.opened;
    expect(await callTool(handler, asyncCall({ attempt: 2 }))).toEqual(pending);
    expect(runs()).toBe(1);
  });
});
