import { YagateError } from "@yagate/protocol";
import type { Append } from "@yagate/store/port";
import { expect, it } from "vitest";
import { createCommands } from "../../src/executions/service/commands.ts";
import { openRunWorld } from "./run-world.ts";

const nothing = () => {};

it("ends an execution that can't be advanced, instead of holding it for ever", async () => {
  const world = await openRunWorld();
  const execution = await world.create([], [{ text: "done" }]);
  let appends = 0;
  world.interference.append = async (append, next) => {
    appends += 1;
    if (appends === 1) throw new TypeError("a defect");
    return next(append);
  };
  await world.start(execution, false, nothing).done;
  const row = await world.eventStore.find(execution.id, execution.workspaceId);
  expect(row).toMatchObject({ status: "failed", stopReason: "error", error: { code: "INTERNAL" } });
  expect(await world.types(execution.id)).toEqual(["execution.failed"]);
  expect(world.errors).toEqual([expect.any(TypeError)]);
});

it("ends one whose log does not fold", async () => {
  const world = await openRunWorld();
  const execution = await world.create([], [{ text: "done" }]);
  world.interference.read = () => {
    throw new TypeError("an unknown event");
  };
  await world.start({ ...execution, lastSeq: 1 }, true, nothing).done;
  delete world.interference.read;
  expect(await world.eventStore.find(execution.id, execution.workspaceId)).toMatchObject({ status: "failed" });
});

it("ends one whose conversation can't be built, instead of retrying for ever", async () => {
  const world = await openRunWorld();
  const execution = await world.create([], [{ text: "done" }], { limits: { maxWallTimeMs: 1_000 } });
  const request = { ...execution.request, input: JSON.parse("null") };
  await world.start({ ...execution, request }, false, nothing).done;
  expect(await world.types(execution.id)).toEqual([
    "execution.started",
    "model.requested",
    "model.failed",
    "execution.failed",
  ]);
  const row = await world.eventStore.find(execution.id, execution.workspaceId);
  expect(row).toMatchObject({ status: "failed", error: { code: "INTERNAL" } });
  expect(world.errors).toEqual([expect.any(TypeError)]);
});

const isFailure = ({ entries }: Append) => entries[0]?.event.type === "execution.failed";

it("ends one that was cancelled while its end was being recorded", async () => {
  const world = await openRunWorld();
  const execution = await world.create([], [{ text: "done" }]);
  let isCancelled = false;
  world.interference.append = async (append, next) => {
    if (!isFailure(append)) throw new TypeError("a defect");
    if (!isCancelled) {
      isCancelled = true;
      await createCommands({ eventStore: world.eventStore, now: Date.now }).apply(execution.id, { type: "cancel" });
    }
    return next(append);
  };
  await world.start(execution, false, nothing).done;
  expect(await world.eventStore.find(execution.id, execution.workspaceId)).toMatchObject({ status: "failed" });
  expect(await world.types(execution.id)).toEqual(["execution.cancel_requested", "execution.failed"]);
});

it("ends one once an unavailable store accepts its end", async () => {
  const world = await openRunWorld();
  const execution = await world.create([], [{ text: "done" }]);
  let refusals = 0;
  world.interference.append = async (append, next) => {
    if (!isFailure(append)) throw new TypeError("a defect");
    refusals += 1;
    if (refusals === 1) throw new YagateError("UNAVAILABLE", "the disk is full");
    return next(append);
  };
  await world.start(execution, false, nothing).done;
  expect(await world.types(execution.id)).toEqual(["execution.failed"]);
  expect(world.errors).toEqual([expect.any(TypeError), expect.objectContaining({ code: "UNAVAILABLE" })]);
});

it("leaves the end of one to the next process if this one stops before the store accepts it", async () => {
  const world = await openRunWorld();
  const execution = await world.create([], [{ text: "done" }]);
  const refused = Promise.withResolvers<void>();
  world.interference.append = async (append) => {
    if (!isFailure(append)) throw new TypeError("a defect");
    refused.resolve();
    throw new YagateError("UNAVAILABLE", "the disk is full");
  };
  const run = world.start(execution, false, nothing);
  await refused.promise;
  run.drain();
  await expect(run.done).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await world.eventStore.find(execution.id, execution.workspaceId)).toMatchObject({ status: "queued" });
});
