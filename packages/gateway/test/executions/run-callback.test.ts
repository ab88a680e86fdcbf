import type { Command } from "@yagate/execution-machine/inputs";
import { describe, expect, it } from "vitest";
import { send, startHandler } from "../../../webhooks/test/support/handler-server.ts";
import { createCommands } from "../../src/executions/service/commands.ts";
import { CALL_THEN_ANSWER, openRunWorld, toolAt, WORKSPACE } from "./run-world.ts";

const nothing = () => {};

/** An execution that is suspended until the callback of its call. */
async function startDeferring() {
  const world = await openRunWorld();
  const handler = await startHandler((response) => send(response, { status: 202, body: { pending: true } }));
  const execution = await world.create([toolAt(handler.url, { async: true })], CALL_THEN_ANSWER);
  await world.start(execution, false, nothing).done;
  const begun = (await world.events(execution.id)).find((event) => event.type === "attempt.started");
  if (begun?.type !== "attempt.started") throw new Error("expected an attempt");
  const { toolCallId, callbackUntil = "" } = begun;
  const expiresAt = Date.parse(callbackUntil);
  const commands = createCommands({ eventStore: world.eventStore, now: Date.now });
  return {
    world,
    handler,
    executionId: execution.id,
    expiresAt,
    deliver: (result: string) => {
      const order: Command = { type: "callback", toolCallId, bodyHash: `sha256:${result}`, outcome: { result } };
      return commands.apply(execution.id, order);
    },
    /** Takes it up as a process does that finds it due. */
    async resume(now?: number) {
      const due = await world.claimDue(now);
      if (due === undefined) throw new Error("expected an execution that is due");
      if (now !== undefined) world.setClock(now);
      await world.start(due, false, nothing).done;
    },
  };
}

describe("a run whose execution waits for a callback", () => {
  it("has ended: the execution has no owner until the callback expires", async () => {
    const { world, executionId, expiresAt } = await startDeferring();
    expect(await world.eventStore.find(executionId, WORKSPACE)).toMatchObject({ status: "waiting", epoch: 1 });
    expect(await world.claimDue(expiresAt - 1)).toBeUndefined();
    expect(await world.claimDue(expiresAt)).toMatchObject({ id: executionId, epoch: 2 });
  });

  it("continues as soon as it is received, and repeats nothing", async () => {
    const { world, executionId, deliver, resume, handler } = await startDeferring();
    await deliver("done");
    await resume();
    const events = await world.events(executionId);
    expect(events.find(({ type }) => type === "tool_call.completed")).toMatchObject({
      via: "callback",
      result: "done",
    });
    expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
    expect(handler.calls).toHaveLength(1);
  });

  it("continues without it once it has expired, and accepts it no more", async () => {
    const { world, executionId, expiresAt, deliver, resume, handler } = await startDeferring();
    await resume(expiresAt);
    const events = await world.events(executionId);
    const failed = events.find(({ type }) => type === "tool_call.failed");
    expect(failed).toMatchObject({ error: { code: "TIMEOUT", outcome: "unknown" } });
    expect((await deliver("late")).events).toEqual([]);
    expect(handler.calls).toHaveLength(1);
  });
});
