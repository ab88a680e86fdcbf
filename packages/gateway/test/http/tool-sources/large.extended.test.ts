import type { StreamEvent } from "@yagate/protocol";
import { afterAll, expect, it } from "vitest";
import { calling, execute, makeAgent, problemOf } from "../support/agents.ts";
import { describedTool } from "../support/describing-handler.ts";
import { EventReader } from "../support/event-reader.ts";
import { startToolSourceWorld } from "../support/tool-source-world.ts";

const world = await startToolSourceWorld({ logLevel: "silent" });
afterAll(() => world.stop());

const MOST = 2_000;
const names = Array.from({ length: MOST }, (_, index) => `tool_${index}`);
const published = (description: string) => names.map((name) => describedTool(name, { description }));

it("a source with 2,000 tools is synced, and an agent may name some of them, or search for them, but not carry all", async () => {
  const handler = await world.startHandler(published("First."));
  const source = await world.makeSource(handler, { accept: "all" });
  expect(source).toMatchObject({ status: "ready", toolCounts: { published: MOST, accepted: MOST } });
  handler.tools = published("Second.");
  const counts = { published: MOST, accepted: 0, held: MOST, removed: 0 };
  expect(await world.sync(source.id)).toMatchObject({ status: "changed", toolCounts: counts, generation: 2 });
  handler.tools = published("First.");
  expect(await world.sync(source.id)).toMatchObject({ status: "ready", toolCounts: { accepted: MOST } });

  const named = names.slice(0, 20);
  const agent = await makeAgent(world, { tools: [{ source: source.name, tools: named }] });
  const execution = await execute(world, agent.id, calling(`${source.name}.tool_7`));
  expect(execution).toMatchObject({ status: "completed", output: { text: "done" } });
  const reader = new EventReader(await world.open("followExecution", { params: { id: execution.id } }));
  const { data }: { data: StreamEvent } = await reader.until("execution.started");
  await reader.leave();
  const used = data.type === "execution.started" ? (data.sourceTools ?? []).map(({ tool }) => tool) : [];
  expect(used).toEqual(named.toSorted());

  const searching = await makeAgent(world, { tools: [{ source: source.name }], toolSearch: {} });
  const searched = await execute(world, searching.id, {
    input: "hello",
    script: {
      turns: [
        { toolCalls: [{ name: "tool_search", parameters: { query: `${source.name}.tool_1234` } }] },
        { toolCalls: [{ name: `${source.name}.tool_1234`, parameters: { orderId: "A1" } }] },
        { text: "done" },
      ],
    },
  });
  expect(searched).toMatchObject({ status: "completed", output: { text: "done" } });
  expect(handler.calls.map(({ name }) => name)).toEqual(["tool_7", "tool_1234"]);

  const body = { name: "all", model: "scripted/turns", tools: [{ source: source.name }] };
  const refused = problemOf(await world.call("createAgent", { body }));
  expect(refused.errors).toMatchObject([
    { path: "tools", code: "TOO_MANY_TOOLS", message: expect.stringContaining(`${source.name} ${MOST}`) },
  ]);
});
