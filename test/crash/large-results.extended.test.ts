import { expect, it } from "vitest";
import { startModelServer, type WireRequest, type WireTurn } from "../e2e/support/model-server.ts";
import { startRawService, toolAt } from "../e2e/support/services.ts";
import { GatewayProcess } from "./gateway-process.ts";

const RESULT = { items: Array.from({ length: 4_000 }, (_, id) => ({ id, name: `thing ${id}` })) };

const toolTexts = ({ messages }: WireRequest) =>
  messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));
const offered = ({ tools }: WireRequest) => tools.map(({ function: { name } }) => name);

function reading(path: string) {
  return (request: WireRequest): WireTurn => {
    const artifactId = /artifact (art_\w+)/.exec(toolTexts(request)[0] ?? "")?.[1];
    return { calls: [{ name: "read_artifact", arguments: JSON.stringify({ artifactId, path }) }] };
  };
}

it("an execution that was killed in between reads on in its large result", { timeout: 60_000 }, async () => {
  const silent = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const silence = (index: number) => () => {
    silent[index]?.resolve();
    return { isSilent: true };
  };
  const model = await startModelServer([
    { calls: [{ name: "lookup_order", arguments: '{"orderId":"ORD-1"}' }] },
    silence(0),
    reading("$.items[7].name"),
    silence(1),
    reading("$.items[8].name"),
    { text: "done" },
  ]);
  const service = await startRawService((response) => void response.json({ result: RESULT }));
  const environment = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.url };
  const gateway = await GatewayProcess.prepare(environment);
  await gateway.start();
  const { agents, executions, artifacts } = gateway.client;
  const agent = await agents.create({ name: "Reader", model: "openai/gpt-test", tools: [toolAt(service.url)] });
  const { id } = await agents.start(agent.id, { input: "go" });
  for (const [index, asked] of silent.entries()) {
    // A model may be asked before what it reads is durable.
    for await (const event of executions.events(id)) {
      if (event.type === "model.requested" && event.turn === index + 2) break;
    }
    await asked.promise;
    await gateway.kill();
    await gateway.start();
  }
  for await (const event of executions.events(id)) if (event.type === "execution.completed") break;

  const calls = await executions.toolCalls(id).toArray();
  expect(service.calls).toHaveLength(1);
  const artifactId = calls[0]?.artifactId;
  expect(calls.slice(1).map(({ result }) => result)).toEqual([
    { artifactId, path: "$.items[7].name", count: 1, values: ["thing 7"] },
    { artifactId, path: "$.items[8].name", count: 1, values: ["thing 8"] },
  ]);
  // Every turn after the result was offered the same and read the same, whichever process asked for it.
  const [first, ...later] = model.requests;
  expect(first && offered(first)).toEqual(["lookup_order"]);
  expect(later.map(offered)).toEqual(later.map(() => ["lookup_order", "read_artifact"]));
  expect(new Set(later.map((request) => toolTexts(request)[0])).size).toBe(1);
  expect(await artifacts.content(artifactId ?? "")).toBe(JSON.stringify(RESULT));
  expect(gateway.defects).toEqual([]);
});
