import { describe, expect, it, onTestFinished } from "vitest";
import { setUp } from "./set-up.ts";

async function start(model = "scripted/turns") {
  const desk = await setUp(model);
  onTestFinished(() => desk.stop());
  return desk;
}

const calling = (name: string, ticket: string) => ({
  input: "…",
  script: { turns: [{ toolCalls: [{ name, parameters: { ticket } }] }, { text: "done" }] },
});

describe("the example of an MCP server", { timeout: 120_000 }, () => {
  it("answers from a tool of the server", async () => {
    const { yagate, agentId, reviewed } = await start("scripted/keyword");
    expect(reviewed.map(({ name, hints }) => [name, hints?.proposedSideEffect])).toEqual([
      ["close_ticket", "destructive"],
      ["find_ticket", "read_only"],
    ]);
    const execution = await yagate.agents.execute(agentId, { input: "Find the ticket TCK-7" });
    expect(execution.toolCalls).toMatchObject([
      { name: "tickets.find_ticket", result: { title: "The printer on floor 2 is jammed", status: "open" } },
    ]);
  });

  it("tells the model what the server says about a ticket that does not exist", async () => {
    const { yagate, agentId } = await start();
    const execution = await yagate.agents.execute(agentId, calling("tickets.find_ticket", "TCK-9"));
    expect(execution.toolCalls).toMatchObject([
      { status: "failed", error: { code: "HANDLER_ERROR", details: "there is no ticket TCK-9" } },
    ]);
  });

  it("closes a ticket only after an approval", async () => {
    const { yagate, agentId } = await start();
    const { id } = await yagate.agents.start(agentId, calling("tickets.close_ticket", "TCK-7"));
    for await (const { type } of yagate.executions.events(id)) if (type === "execution.waiting") break;
    const [approval] = await yagate.approvals.list().toArray();
    expect(approval?.request).toMatchObject({ method: "POST", body: expect.stringContaining('"ticket":"TCK-7"') });
  });
});
