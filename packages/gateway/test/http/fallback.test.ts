import { executionSchema, toolCallRecordSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, expectStatus, makeAgent, problemOf, start } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const failing = await startHandler({ status: 500, body: { error: { code: "BROKEN", message: "it broke" } } });
const agent = await makeAgent(world, { tools: [workTool(failing.url)] });

/** An execution whose failed call is held for an answer, and the stream of what follows. */
async function hold(key: string, waitMs = 600_000) {
  const { id } = await start(world, agent.id, calling("work", { fallback: { waitMs } }), { key });
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  const { data } = await reader.until("tool_call.failed");
  if (data.type !== "tool_call.failed") throw new Error("expected a failed call");
  const answer = (body: object, answeringKey: string) =>
    world.call("answerFallback", { params: { id: data.toolCallId }, body, key: answeringKey });
  const end = async () => {
    await reader.all();
    return executionSchema.parse(expectStatus(await world.call("getExecution", { params: { id } }), 200));
  };
  const call = async () =>
    toolCallRecordSchema.parse((await world.call("getToolCall", { params: { id: data.toolCallId } })).body);
  return { id, event: data, answer, call, end };
}

describe("a held call", () => {
  it("is ended by the answer of the key that started the execution", async () => {
    const { text } = await world.makeKey(["executions"]);
    const held = await hold(text);
    expect(held.event.error).toMatchObject({ code: "BROKEN", source: "handler", toolName: "work" });
    expect(await held.call()).toMatchObject({ status: "waiting_fallback", fallbackUntil: held.event.fallbackUntil });
    const answer = await held.answer({ result: { price: 5 } }, text);
    expect(answer).toMatchObject({ status: 200, body: { id: held.event.toolCallId, executionId: held.id } });
    expect(await held.end()).toMatchObject({ status: "completed", output: { text: "done" } });
    expect(await held.call()).toMatchObject({ status: "completed", via: "fallback", result: { price: 5 } });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["false", false],
    ["text", "five"],
    ["a list", [1, [2]]],
  ])("takes %s for a result", async (_what, result) => {
    const held = await hold(world.key);
    expect((await held.answer({ result }, world.key)).status).toBe(200);
    await held.end();
    expect(await held.call()).toMatchObject({ status: "completed", result });
  });

  it("is ended without a result by a caller who declines", async () => {
    const held = await hold(world.key);
    expect((await held.answer({ decline: true }, world.key)).status).toBe(200);
    expect(await held.end()).toMatchObject({ status: "completed" });
    expect(await held.call()).toMatchObject({ status: "failed", error: { code: "BROKEN" } });
  });

  it("is answered by any key with the scope fallback, of whatever execution", async () => {
    const held = await hold((await world.makeKey(["executions"])).text);
    const helper = await world.makeKey(["fallback"]);
    expect((await held.answer({ result: 1 }, helper.text)).status).toBe(200);
  });

  it("is not answered by another key that may only execute", async () => {
    const { text } = await world.makeKey(["executions"]);
    const held = await hold(text);
    const other = await world.makeKey(["executions"]);
    expect(problemOf(await held.answer({ result: 1 }, other.text))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
      detail: "expected the key that started the execution, or one with the scope fallback",
    });
    expect(await held.call()).toMatchObject({ status: "waiting_fallback" });
    expect((await held.answer({ result: 1 }, text)).status).toBe(200);
  });

  it.each<[string, object, object]>([
    ["an answer, another answer", { result: 1 }, { result: 2 }],
    ["an answer, the same answer", { result: 1 }, { result: 1 }],
    ["an answer, a decline", { result: 1 }, { decline: true }],
    ["a decline, an answer", { decline: true }, { result: 1 }],
  ])("is answered once: %s", async (_what, first, second) => {
    const held = await hold(world.key);
    expect((await held.answer(first, world.key)).status).toBe(200);
    expect(problemOf(await held.answer(second, world.key))).toMatchObject({ status: 409, code: "CONFLICT" });
    await held.end();
    const expected = "result" in first ? { status: "completed", ...first } : { status: "failed" };
    expect(await held.call()).toMatchObject(expected);
  });

  it("takes one of the answers that come at once", async () => {
    const held = await hold(world.key);
    const answers = await Promise.all([1, 2, 3, 4].map((result) => held.answer({ result }, world.key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it("takes no answer after its time", async () => {
    const held = await hold(world.key, 1);
    await held.end();
    expect(problemOf(await held.answer({ result: 1 }, world.key))).toMatchObject({ status: 409 });
    expect(await held.call()).toMatchObject({ status: "failed" });
  });

  it("takes no answer once the execution was cancelled", async () => {
    const held = await hold(world.key);
    await world.call("cancelExecution", { params: { id: held.id } });
    expect(await held.end()).toMatchObject({ status: "cancelled" });
    expect(problemOf(await held.answer({ result: 1 }, world.key))).toMatchObject({ status: 409 });
  });
});

it("a call of an execution that asks nobody takes no answer", async () => {
  const { id } = await start(world, agent.id, calling("work"));
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  const { data } = await reader.until("tool_call.failed");
  if (data.type !== "tool_call.failed") throw new Error("expected a failed call");
  expect(data.fallbackUntil).toBeUndefined();
  const answer = await world.call("answerFallback", { params: { id: data.toolCallId }, body: { result: 1 } });
  expect(problemOf(answer)).toMatchObject({ status: 409, code: "CONFLICT" });
});

it("an execution waits while a call is held, and that says until when", async () => {
  const before = Date.now();
  const held = await hold(world.key, 60_000);
  const until = Date.parse(held.event.fallbackUntil ?? "");
  expect(until).toBeGreaterThanOrEqual(before + 60_000);
  expect(until).toBeLessThan(Date.now() + 60_001);
  const { body } = await world.call("getExecution", { params: { id: held.id } });
  expect(body).toMatchObject({ status: "waiting" });
});
