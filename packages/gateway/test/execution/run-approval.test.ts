import { describe, expect, it } from "vitest";
import { createCommands } from "../../src/execution/commands.ts";
import type { Command } from "../../src/execution/machine/inputs.ts";
import type { ScheduledRun } from "../../src/scheduler/port.ts";
import { send, startHandler } from "../dispatch/support/handler-server.ts";
import { CALL_THEN_ANSWER, openRunWorld, type RunWorld, toolAt, WORKSPACE } from "./run-world.ts";

const nothing = () => {};
const BY = { keyId: null, isSelfApproval: true };

/** An execution that waits for an approval. */
async function startAsking(change = {}) {
  const world = await openRunWorld();
  const handler = await startHandler((response) => send(response, { body: { result: "done" } }));
  const tool = toolAt(handler.url, { sideEffect: "destructive", ...change });
  const execution = await world.create([tool], CALL_THEN_ANSWER);
  const asked = new Promise<void>((resolve) => {
    world.journal.subscribe(execution.id, (_entries, { status }) => {
      if (status === "waiting") resolve();
    });
  });
  const run = world.start(execution, false, nothing);
  await asked;
  const { data } = await world.store.approvals.list(WORKSPACE, { limit: 10 });
  const approvalId = data[0]?.id ?? "";
  const commands = createCommands({ journal: world.journal, now: Date.now });
  const give = (command: Command) => commands.give(execution.id, command);
  return { world, handler, executionId: execution.id, run, approvalId, give, approvals: data };
}

async function drop(run: ScheduledRun): Promise<void> {
  run.abort();
  await run.done;
}

async function goOn(world: RunWorld): Promise<void> {
  await world.start(await world.claim(), true, nothing).done;
}

describe("a run that waits for an approval", () => {
  it("has written down what whoever approves is shown, in the commit of the question", async () => {
    const { world, executionId, approvals, handler, run } = await startAsking();
    const events = await world.events(executionId);
    const asked = events.find(({ type }) => type === "approval.requested");
    expect(approvals).toMatchObject([
      {
        id: asked?.["approvalId"],
        executionId,
        status: "pending",
        resolution: null,
        details: { requestHash: asked?.["requestHash"], request: { url: handler.url } },
      },
    ]);
    await drop(run);
  });

  it("goes on in another process, also with an answer that came in between", async () => {
    const { world, executionId, run, approvalId, give, handler } = await startAsking();
    await drop(run);
    await give({ type: "approve", approvalId, by: BY });
    expect(handler.calls).toEqual([]);
    await goOn(world);
    expect(handler.calls).toHaveLength(1);
    expect((await world.types(executionId)).at(-1)).toBe("execution.completed");
    expect(await world.store.approvals.find(WORKSPACE, approvalId)).toMatchObject({
      status: "approved",
      resolution: BY,
    });
  });

  it("sends nothing that is not what was approved", async () => {
    const { world, executionId, run, approvalId, give, handler } = await startAsking({ retries: 2 });
    const edit = { parameters: { all: true }, requestHash: "sha256:of something else" };
    await give({ type: "approve", approvalId, by: BY, edit });
    await run.done;
    expect(handler.calls).toEqual([]);
    const events = await world.events(executionId);
    expect(events.filter(({ type }) => type === "attempt.finished")).toMatchObject([
      { number: 1, errorCode: "POLICY_DENIED", outcome: "none" },
    ]);
    expect(events.find(({ type }) => type === "tool_call.failed")).toMatchObject({
      error: { code: "POLICY_DENIED", message: "what would be sent is not what was approved; nothing was sent" },
    });
    expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
  });
});
