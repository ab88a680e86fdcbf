import { expect, it } from "vitest";
import { freePort } from "../../../../test/services/free-port.ts";
import { openRunWorld } from "./run-world.ts";

it("a provider that is down is reported once per model turn, and the caller reads nothing about the network", async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const world = await openRunWorld({
    providers: { house: { baseUrl: `${origin}/v1`, apiKey: "sk-planted-0123456789" } },
  });
  const execution = await world.create([], [], { model: "house/m" });
  await world.start(execution, false, () => {}).done;
  const row = await world.eventStore.find(execution.id, execution.workspaceId);
  expect(row).toMatchObject({
    status: "failed",
    error: {
      code: "MODEL_ERROR",
      message:
        "house could not be reached (NETWORK_ERROR): is the server of provider house running? See the gateway's log for the cause",
    },
  });
  const events = await world.events(execution.id);
  expect(events.filter(({ type }) => type === "model.failed")).toHaveLength(5);
  expect(JSON.stringify(events)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
  expect(world.unreachable).toEqual([
    {
      provider: "house",
      origin,
      code: "NETWORK_ERROR",
      reason: expect.stringContaining("ECONNREFUSED"),
      executionId: execution.id,
    },
  ]);
  expect(world.errors).toEqual([]);
});
