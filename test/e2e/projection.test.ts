import type { AgentDefinition } from "@yagate/client";
import { beforeEach, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../services/migrated-stores.ts";
import { hasPostgres } from "../services/postgres.ts";
import { type ModelServer, startModelServer, type WireRequest, type WireTurn } from "./support/model-server.ts";
import { startRawService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

const ORDER = {
  id: "ORD-1",
  customer: { name: "ACME", email: "buyer@acme.example", card: "4111111111111111" },
  lines: [
    { sku: "A", price: 1, margin: 0.4 },
    { sku: "B", price: 2, margin: 0.1 },
  ],
};
const LOOKUP: WireTurn = { calls: [{ name: "lookup_order", arguments: '{"orderId":"ORD-1"}' }] };

type Projection = Extract<NonNullable<AgentDefinition["tools"]>[number], { handler: string }>["projection"];

let config: { readonly databaseUrl?: string } = {};

async function play(result: unknown, projection: Projection, turns: Parameters<typeof startModelServer>[0]) {
  const model = await startModelServer(turns);
  const world = await openWorld({ providers: { openai: { apiKey: "sk-test", baseUrl: model.url } }, ...config });
  const { url } = await startRawService((response) => void response.json({ result }));
  const tool = { ...toolAt(url), ...(projection === undefined ? {} : { projection }) };
  const agent = await world.createAgent([tool], { model: "openai/gpt-test" });
  const execution = await world.client.agents.execute(agent.id, { input: "go" });
  return { world, model, agent, tool, execution };
}

/** What the model has read of its calls by its last turn. */
function readBy({ requests }: ModelServer): readonly string[] {
  return (requests.at(-1)?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => String(content));
}

function describeProjections(): void {
  it("a model reads what a tool's author lets it, and the record has the whole", async () => {
    const projection = { keep: ["$.id", "$.customer", "$.lines[*].sku"], redact: ["$.customer.card", "$..margin"] };
    const { model, execution } = await play(ORDER, projection, [LOOKUP, { text: "done" }]);
    const { name, email } = ORDER.customer;
    expect(readBy(model).map((text) => JSON.parse(text))).toEqual([
      { id: "ORD-1", customer: { name, email, card: "***" }, lines: [{ sku: "A" }, { sku: "B" }] },
    ]);
    expect(execution.toolCalls).toMatchObject([{ status: "completed", result: ORDER }]);
  });

  it("what is too long for its budget is previewed, and its parts are read without what is redacted", async () => {
    const lines = Array.from({ length: 300 }, (_, id) => ({ id, card: `4111-${id}-1111` }));
    const part = (path: string) => (request: WireRequest) => {
      const artifactId = /artifact (art_\w+)/.exec(JSON.stringify(request.messages))?.[1];
      return { calls: [{ name: "read_artifact", arguments: JSON.stringify({ artifactId, path }) }] };
    };
    const { model, execution, world } = await play({ lines }, { redact: ["$..card"], maxTokens: 600 }, [
      LOOKUP,
      part("$.lines[7]"),
      part("$..card"),
      { text: "done" },
    ]);
    const [preview = "", seventh = "", cards = ""] = readBy(model);
    expect(preview.length).toBeLessThanOrEqual(2_400);
    expect(preview).toMatch(/^\[This result is too large to be read at once/);
    expect(JSON.parse(seventh)).toMatchObject({ values: [{ id: 7, card: "***" }] });
    expect(JSON.parse(cards)).toMatchObject({ count: 300 });
    expect(readBy(model).join("")).not.toContain("4111");
    // Whoever may read executions reads all of it.
    const artifactId = execution.toolCalls[0]?.artifactId ?? "";
    expect(JSON.parse(await world.client.artifacts.content(artifactId))).toEqual({ lines });
  });

  it("the caller's answer in the place of a result is read in the same way", async () => {
    const model = await startModelServer([LOOKUP, { text: "done" }]);
    const world = await openWorld({ providers: { openai: { apiKey: "sk-test", baseUrl: model.url } }, ...config });
    const { url } = await startRawService((response) => void response.status(500).json({}));
    const tool = { ...toolAt(url), projection: { keep: ["$.id"] } };
    const agent = await world.createAgent([tool], { model: "openai/gpt-test" });
    await world.client.agents.execute(agent.id, { input: "go", onToolError: () => ({ result: ORDER }) });
    expect(readBy(model)).toEqual(['{"id":"ORD-1"}']);
  });

  it("a place that can't be found is told when the agent is saved", async () => {
    const { world, tool, agent } = await play(ORDER, undefined, [{ text: "done" }]);
    const tools = [{ ...tool, projection: { keep: ["$.id", "$.lines[?@.price>1]"], redact: ["$.a["] } }];
    await expect(world.client.agents.update(agent.id, { tools })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      fieldErrors: [
        { path: "tools[0].projection.keep[1]", code: "INVALID_PATH" },
        { path: "tools[0].projection.redact[0]", code: "INVALID_PATH" },
      ],
    });
  });
}

describe("on SQLite", () => {
  beforeEach(() => {
    config = {};
  });
  describeProjections();
});

describe.skipIf(!hasPostgres())("on PostgreSQL", () => {
  beforeEach(async () => {
    config = { databaseUrl: await createMigratedDatabase() };
  });
  describeProjections();
});
