import { FRAMEWORKS } from "@yagate/example-stage/story";
import { setTestStage } from "@yagate/example-stage/test-stage";
import { describe, expect, it } from "vitest";
import { story } from "./story.ts";

const OWN = { caller: { customerId: "cus_1" }, input: "…" };

function calling(name: string, parameters: Readonly<Record<string, string>>) {
  return { script: { turns: [{ toolCalls: [{ name, parameters }] }, { text: "done" }] } };
}

describe("the database query example", () => {
  it.each(FRAMEWORKS)("answers the story's question in %s", async (framework) => {
    const { yagate, agentId } = await setTestStage(story, framework, "scripted/keyword");
    const execution = await yagate.agents.execute(agentId, { ...OWN, input: story.question });
    expect(execution.toolCalls.map(({ name, status }) => [name, status])).toEqual([["search_orders", "completed"]]);
    expect(execution.output?.text).toContain("ORD-1002");
    expect(execution.output?.text).toContain("ORD-1003");
    expect(execution.output?.text).not.toContain("ORD-2001");
  });

  it.each([
    ["all orders of the customer", {}, ["ORD-1003", "ORD-1002", "ORD-1001"]],
    ["a status", { status: "delivered" }, ["ORD-1001"]],
    ["part of the item's name, in upper or lower case", { item: "LAMP" }, ["ORD-1003"]],
    ["days, both included", { placedFrom: "2026-11-14", placedTo: "2026-11-14" }, ["ORD-1002"]],
    ["an item that is SQL", { item: "' OR 1=1 --" }, []],
    ["an item that is a wildcard", { item: "%" }, []],
  ])("finds %s", async (_what, parameters, ids) => {
    const { yagate, agentId } = await setTestStage(story);
    const execution = await yagate.agents.execute(agentId, { ...OWN, ...calling("search_orders", parameters) });
    const result = execution.toolCalls[0]?.result;
    expect(result).toMatchObject({ orders: ids.map((id) => ({ id })), hasMore: false });
  });

  it("adds up the customer's orders", async () => {
    const { yagate, agentId } = await setTestStage(story);
    const execution = await yagate.agents.execute(agentId, { ...OWN, ...calling("order_totals", {}) });
    expect(execution.toolCalls[0]?.result).toEqual({
      totals: [
        { status: "delivered", orders: 1, totalCents: 4_900 },
        { status: "open", orders: 2, totalCents: 9_250 },
      ],
    });
  });

  it("shows nothing when the application does not say who is asking", async () => {
    const { yagate, agentId } = await setTestStage(story);
    const execution = await yagate.agents.execute(agentId, { input: "…", ...calling("search_orders", {}) });
    expect(execution.toolCalls[0]?.error).toMatchObject({ code: "CUSTOMER_UNKNOWN", source: "handler" });
  });

  it("does not let the model choose the customer", async () => {
    const { yagate, agentId } = await setTestStage(story);
    const script = calling("search_orders", { customerId: "cus_2" });
    const execution = await yagate.agents.execute(agentId, { ...OWN, ...script });
    expect(JSON.stringify(execution.toolCalls)).not.toContain("ORD-2001");
  });
});
