import { expect, it } from "vitest";
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
  const row = await world.journal.find(execution.id, execution.workspaceId);
  expect(row).toMatchObject({ status: "failed", stopReason: "error", error: { code: "INTERNAL" } });
  expect(await world.types(execution.id)).toEqual(["execution.failed"]);
  expect(world.errors).toEqual([expect.any(TypeError)]);
});

it("ends one whose log does not fold", async () => {
  const world = await openRunWorld();
  const execution = await world.create([], [{ text: "done" }]);
  world.interference.read = () => {
    throw new TypeError("an event that nobody knows");
  };
  await world.start({ ...execution, lastSeq: 1 }, true, nothing).done;
  delete world.interference.read;
  expect(await world.journal.find(execution.id, execution.workspaceId)).toMatchObject({ status: "failed" });
});
