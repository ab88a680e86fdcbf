import type { Command } from "@yagate/execution-machine/inputs";
import { describe, expect, it } from "vitest";
import { send, startHandler } from "../../../webhooks/test/support/handler-server.ts";
import { createCommands } from "../../src/executions/service/commands.ts";
import { CALL_THEN_ANSWER, openRunWorld, toolAt, WORKSPACE } from "./run-world.ts";

const nothing = () => {};
const BY = { keyId: null, isSelfApproval: true };

/** An execution that is suspended until its call is approved. */
async function startAsking(change = {}) {
  const world = await openRunWorld();
  const handler = await startHandler((response) => send(response, { body: { result: "done" } }));
  const tool = toolAt(handler.url, { sideEffect: "destructive", ...change });
  const execution = await world.create([tool], CALL_THEN_ANSWER);
  await world.start(execution, false, nothing).done;
  const { data: approvals } = await world.store.approvals.list(WORKSPACE, { limit: 10 });
  const approvalId = approvals[0]?.id ?? "";
  const commands = createCommands({ eventStore: world.eventStore, now: Date.now });
  return {
    world,
    handler,
    executionId: execution.id,
    approvalId,
    approvals,
    apply: (command: Command) => commands.apply(execution.id, command),
    /** Takes it up as a process does that finds it due. */
    async resume(now?: number) {
      const due = await world.claimDue(now);
      if (due === undefined) throw new Error("expected an execution that is due");
      await world.start(due, false, nothing).done;
    },
  };
}

describe("a run whose execution waits for an approval", () => {
  it("has ended: the execution has no owner until its time has come", async () => {
    const { world, executionId, approvals } = await startAsking();
    expect(await world.eventStore.find(executionId, WORKSPACE)).toMatchObject({ status: "waiting", epoch: 1 });
    const claim = { owner: "another", now: Number.MAX_SAFE_INTEGER, leaseUntil: 0, limit: 9, except: new Set("") };
    expect(await world.eventStore.claim(claim)).toEqual([]);
    const expiresAt = approvals[0]?.expiresAt ?? 0;
    expect(await world.claimDue(expiresAt - 1)).toBeUndefined();
    expect(await world.claimDue(expiresAt)).toMatchObject({ id: executionId, epoch: 2 });
  });

  it("has stored what the approver sees, in the commit of the request", async () => {
    const { world, executionId, approvals, handler } = await startAsking();
    const asked = (await world.events(executionId)).find(({ type }) => type === "approval.requested");
    expect(approvals).toMatchObject([
      {
        id: asked?.["approvalId"],
        executionId,
        status: "pending",
        resolution: null,
        details: { requestHash: asked?.["requestHash"], request: { url: handler.url } },
      },
    ]);
  });

  it("continues from a decision, without counting the time between", async () => {
    const { world, executionId, approvalId, apply, handler, resume } = await startAsking();
    await apply({ type: "approve", approvalId, by: BY });
    expect(handler.calls).toEqual([]);
    await resume();
    expect(handler.calls).toHaveLength(1);
    const types = await world.types(executionId);
    expect(types.slice(types.indexOf("execution.waiting"))).toEqual([
      "execution.waiting",
      "approval.resolved",
      "attempt.started",
      "attempt.finished",
      "tool_call.completed",
      "model.requested",
      "model.responded",
      "execution.completed",
    ]);
    expect(await world.store.approvals.find(WORKSPACE, approvalId)).toMatchObject({
      status: "approved",
      resolution: BY,
    });
  });

  it("is suspended again while other calls of the turn wait", async () => {
    const world = await openRunWorld();
    const handler = await startHandler((response) => send(response, { body: { result: "done" } }));
    const call = { name: "act", parameters: {} };
    const tool = toolAt(handler.url, { sideEffect: "destructive" });
    const execution = await world.create([tool], [{ toolCalls: [call, call] }, { text: "both" }]);
    await world.start(execution, false, nothing).done;
    const commands = createCommands({ eventStore: world.eventStore, now: Date.now });
    for (const { id: approvalId } of (await world.store.approvals.list(WORKSPACE, { limit: 10 })).data) {
      await commands.apply(execution.id, { type: "approve", approvalId, by: BY });
      const due = await world.claimDue();
      if (due === undefined) throw new Error("expected an execution that is due");
      await world.start(due, false, nothing).done;
      expect(await world.claimDue()).toBeUndefined();
    }
    expect(handler.calls).toHaveLength(2);
    expect((await world.types(execution.id)).at(-1)).toBe("execution.completed");
  });

  it("is not suspended past a command that was appended before", async () => {
    const world = await openRunWorld();
    const handler = await startHandler((response) => send(response, { body: { result: "done" } }));
    const execution = await world.create([toolAt(handler.url, { sideEffect: "destructive" })], CALL_THEN_ANSWER);
    const commands = createCommands({ eventStore: world.eventStore, now: Date.now });
    world.interference.release = async (release, next) => {
      const [approval] = (await world.store.approvals.list(WORKSPACE, { limit: 1 })).data;
      await commands.apply(execution.id, { type: "approve", approvalId: approval?.id ?? "", by: BY });
      const outcome = await next(release);
      expect(outcome).toBe("behind");
      return outcome;
    };
    await world.start(execution, false, nothing).done;
    expect(handler.calls).toHaveLength(1);
    expect((await world.types(execution.id)).at(-1)).toBe("execution.completed");
    expect(await world.claimDue()).toBeUndefined();
  });

  it("sends nothing other than what was approved", async () => {
    const { world, executionId, approvalId, apply, handler, resume } = await startAsking({ retries: 2 });
    const edit = { parameters: { all: true }, requestHash: "sha256:of something else" };
    await apply({ type: "approve", approvalId, by: BY, edit });
    await resume();
    expect(handler.calls).toEqual([]);
    const events = await world.events(executionId);
    expect(events.filter(({ type }) => type === "attempt.finished")).toMatchObject([
      { number: 1, errorCode: "POLICY_DENIED", outcome: "none" },
    ]);
    expect(events.find(({ type }) => type === "tool_call.failed")).toMatchObject({
      error: { code: "POLICY_DENIED", message: "the request is no longer the one that was approved; nothing was sent" },
    });
    expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
  });

  it("ends the call when the approval expires", async () => {
    const { world, executionId, approvals, handler, resume } = await startAsking();
    const expiresAt = approvals[0]?.expiresAt ?? 0;
    world.setClock(expiresAt);
    await resume(expiresAt);
    expect(handler.calls).toEqual([]);
    expect(await world.events(executionId)).toContainEqual(
      expect.objectContaining({
        type: "tool_call.denied",
        error: expect.objectContaining({ code: "APPROVAL_EXPIRED" }),
      }),
    );
    expect(await world.store.approvals.list(WORKSPACE, { limit: 1 })).toMatchObject({ data: [{ status: "expired" }] });
  });
});
