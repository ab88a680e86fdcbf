import { executionSchema, pageSchema, toolCallRecordSchema } from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import { calling, execute, expectStatus, makeAgent } from "./support/agents.ts";
import { describedTool } from "./support/describing-handler.ts";
import { startToolSourceWorld } from "./support/tool-source-world.ts";

it("a replay copies the outcomes of tools that their source no longer offers", async () => {
  const world = await startToolSourceWorld();
  onTestFinished(() => world.stop());
  const handler = await world.startHandler([describedTool("lookup")]);
  const source = await world.makeSource(handler, { accept: "all" });
  const agent = await makeAgent(world, { tools: [{ source: source.name }] });
  const original = await execute(world, agent.id, calling(`${source.name}.lookup`));
  const revoke = { params: { id: source.id }, body: { tools: ["lookup"] } };
  expectStatus(await world.call("revokeTools", revoke), 200);

  const call = { params: { id: original.id }, body: { fromTurn: 2 } };
  const { id } = executionSchema.parse(expectStatus(await world.call("replayExecution", call), 201));
  const read = async () => (await world.call("getExecution", { params: { id } })).body;
  await expect.poll(read, { timeout: 20_000 }).toMatchObject({ status: "completed", output: { text: "done" } });
  const calls = await world.call("listToolCalls", { params: { id } });
  expect(pageSchema(toolCallRecordSchema).parse(calls.body).data).toMatchObject([
    { status: "completed", via: "recording", result: "ran lookup" },
  ]);
  expect(handler.calls).toHaveLength(1);
});
