import type { ProvidersSettings } from "@yagate/models/provider-settings";
import { afterAll, describe, expect, it } from "vitest";
import { startWireServer } from "../../../models/test/support/wire-server.ts";
import { ALL_WIRES } from "../../../models/test/support/wires/all-wires.ts";
import { execute, makeAgent, start } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startWorld } from "./support/world.ts";

// OpenAI's own address can't be a server of ours; a compatible one stands for it.
const wires = ALL_WIRES.filter(({ settings }) => Object.values(settings("http://x"))[0]?.baseUrl !== undefined);

const servers = await Promise.all(
  wires.map((wire) => {
    const busy = wire.refusal({ status: 429, message: "slow down" });
    const answer = { text: "It was shipped.", end: "complete" } as const;
    return startWireServer([
      { status: 429, headers: { "retry-after-ms": "5" }, body: busy },
      { body: wire.whole?.(answer) ?? wire.stream(answer) },
      { status: 429, headers: { "retry-after": "30" }, body: busy },
    ]);
  }),
);
const providers: ProvidersSettings = Object.assign(
  {},
  ...wires.map((wire, index) => wire.settings(servers[index]?.url ?? "")),
);
const world = await startWorld({ providers, allowCidrs: [] });
afterAll(async () => {
  await world.stop();
  await Promise.all(servers.map((server) => server.stop()));
});

describe.each(wires.map((wire, index) => [wire.name, wire.model, servers[index]] as const))(
  "%s",
  (_name, model, server) => {
    it("is asked again after the time that it names, and not any more once the execution is cancelled", async () => {
      const agent = await makeAgent(world, { model });
      const ended = await execute(world, agent.id, { input: "Where is my order?" });
      expect(ended).toMatchObject({ status: "completed", output: { text: "It was shipped." } });
      expect(server?.served).toBe(2);
      const events = await (await world.open("followExecution", { params: { id: ended.id } })).text();
      expect(events.match(/event: model\.(?:requested|failed|responded)/g)).toEqual([
        "event: model.requested",
        "event: model.failed",
        "event: model.requested",
        "event: model.responded",
      ]);

      const waiting = await start(world, agent.id, { input: "And this one?" });
      const reader = new EventReader(await world.open("followExecution", { params: { id: waiting.id } }));
      await reader.until("model.failed");
      await world.call("cancelExecution", { params: { id: waiting.id } });
      await reader.until("execution.cancelled");
      expect((await world.call("getExecution", { params: { id: waiting.id } })).body).toMatchObject({
        status: "cancelled",
      });
      expect(server?.served).toBe(3);
    });
  },
);
