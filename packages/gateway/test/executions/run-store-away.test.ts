import { YagateError } from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import { startWireServer } from "../../../models/test/support/wire-server.ts";
import { openRunWorld } from "./run-world.ts";

it("a model turn waits while the store with the workspace's providers is unavailable, and is requested once", async () => {
  const answer = { index: 0, message: { role: "assistant", content: "done" }, finish_reason: "stop" };
  const provider = await startWireServer([{ body: { id: "1", created: 1, model: "m", choices: [answer] } }]);
  onTestFinished(() => provider.stop());
  const world = await openRunWorld({
    providers: { house: { baseUrl: `${provider.url}/v1`, apiKey: "sk-0123456789" } },
  });
  let refusals = 0;
  world.interference.findProvider = () => {
    refusals += 1;
    if (refusals <= 2) throw new YagateError("UNAVAILABLE", "the store could not be read or written");
  };
  const execution = await world.create([], [], { model: "house/m" });
  await world.start(execution, false, () => {}).done;
  expect(await world.eventStore.find(execution.id, execution.workspaceId)).toMatchObject({
    status: "completed",
    output: { text: "done" },
  });
  expect(await world.types(execution.id)).not.toContain("model.failed");
  expect(provider.served).toBe(1);
  expect(world.errors).toMatchObject([{ code: "UNAVAILABLE" }, { code: "UNAVAILABLE" }]);
});
