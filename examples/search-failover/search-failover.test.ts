import type { StreamEvent } from "@yagate/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Outages, setUp } from "./set-up.ts";

async function ask(outages: Outages) {
  const desk = await setUp(outages);
  onTestFinished(() => desk.stop());
  const { yagate, agentId } = desk;
  const execution = await yagate.agents.execute(agentId, { input: "Who may seek asylum in other countries?" });
  const events: StreamEvent[] = [];
  for await (const event of yagate.executions.events(execution.id)) events.push(event);
  return {
    status: execution.status,
    text: execution.output?.text ?? "",
    chosen: events.flatMap((event) => (event.type === "route.decided" ? [event.intents[0]?.chosen] : [])),
    moves: events.flatMap((event) => (event.type === "route.changed" ? [`${event.from.key} → ${event.to.key}`] : [])),
    searches: execution.toolCalls.filter(({ name }) => name === "web_search"),
    receipt: await yagate.executions.receiptText(execution.id),
  };
}

describe("a search with three capabilities", { timeout: 120_000 }, () => {
  it("uses that of the model's provider", async () => {
    const { status, text, chosen, searches } = await ask({ provider: false, mcp: false });
    expect([status, chosen, searches]).toEqual(["completed", ["anthropic.web_search"], []]);
    expect(text).toContain("https://news.example/asylum");
  });

  it("survives the outage of one", async () => {
    const { status, text, chosen, moves, searches } = await ask({ provider: true, mcp: false });
    expect([status, chosen, moves]).toEqual(["completed", ["anthropic.web_search", "mcp.search"], []]);
    expect(searches).toMatchObject([{ status: "completed", result: { provider: "mcp" } }]);
    expect(text).toContain("https://rights.example/asylum");
  });

  it("survives the outage of two, between two model turns and within a call", async () => {
    const { status, text, chosen, moves, searches, receipt } = await ask({ provider: true, mcp: true });
    expect([status, chosen[0], chosen[1]]).toEqual(["completed", "anthropic.web_search", "mcp.search"]);
    expect(moves).toEqual(["mcp.search → runtime.web_search"]);
    expect(searches).toMatchObject([{ status: "completed", result: { provider: "local" } }]);
    expect(text).toContain("local:///article-14.md");
    expect(receipt).toContain("moved from mcp.search to runtime.web_search");
  });
});
