import { type CreateExecution, type Execution, type ExecutionEvent, executionEventSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { execute, makeAgent } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const PAGE = {
  ...{ id: 1, url: "https://shop.example/shipping", title: "Shipping times" },
  claims: [{ text: "Returns are free." }, { text: "We ship within two working days." }],
};
const handler = await startHandler({ body: { result: { results: [PAGE] } } });
const search = workTool(handler.url, { name: "search" });
const SEARCHES = { toolCalls: [{ name: "search", parameters: {} }] };

async function ask(texts: readonly string[], { request = {}, agent = {} }: { request?: object; agent?: object } = {}) {
  const { id } = await makeAgent(world, { tools: [search], ...agent });
  const script: CreateExecution["script"] = { turns: [SEARCHES, ...texts.map((text) => ({ text }))] };
  return execute(world, id, { input: "How fast do you ship?", script, ...request });
}

async function eventsOf({ id }: Execution): Promise<readonly ExecutionEvent[]> {
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  return (await reader.all()).map(({ data }) => executionEventSchema.parse(data));
}

const required = { request: { routing: { requireCitations: true } } };

describe("required citations", () => {
  it.each<[string, string, object]>([
    ["a number", "Within two working days [1].", { id: 1 }],
    ["a URL", "Within two working days (https://shop.example/shipping).", {}],
  ])("are found by %s, with the passage that fits", async (_how, text, more) => {
    const execution = await ask([text], required);
    expect(execution).toMatchObject({ status: "completed", stopReason: "final" });
    expect(execution.output?.citations).toEqual([
      expect.objectContaining({
        ...{ url: PAGE.url, title: PAGE.title, passage: "We ship within two working days." },
        ...more,
      }),
    ]);
  });

  it("are asked for once, with what is missing", async () => {
    const execution = await ask(["Within a day [7].", "Within two working days [1]."], required);
    expect(execution).toMatchObject({ stopReason: "final", output: { citations: [{ id: 1 }] } });
    const asked = (await eventsOf(execution)).filter(({ type }) => type === "citations.requested");
    expect(asked).toMatchObject([{ turn: 2, message: expect.stringContaining("No result has the number [7]") }]);
    expect(asked).toMatchObject([{ message: expect.stringContaining("These numbered sources were found: [1]") }]);
  });

  it("end the execution with citations_missing if the second answer has none either", async () => {
    const execution = await ask(["Within a day.", "Within two days, I think."], required);
    expect(execution).toMatchObject({
      ...{ status: "completed", stopReason: "citations_missing", error: null },
      output: { text: "Within two days, I think." },
    });
    expect(execution.output).not.toHaveProperty("citations");
    const receipt = await world.call("getReceipt", { params: { id: execution.id } });
    expect(JSON.stringify(receipt.body)).toContain("cites nothing that it has found");
    const listed = await world.call("listExecutions", { query: { stopReason: "citations_missing" } });
    expect(JSON.stringify(listed.body)).toContain(execution.id);
  });

  it("can be required by the agent", async () => {
    const execution = await ask(["No.", "No."], { agent: { routing: { requireCitations: true } } });
    expect(execution.stopReason).toBe("citations_missing");
  });

  it("are neither checked nor listed otherwise", async () => {
    const execution = await ask(["Within two working days [1]."]);
    expect(execution).toMatchObject({ stopReason: "final" });
    expect(execution.output).toEqual({ text: "Within two working days [1]." });
  });
});
