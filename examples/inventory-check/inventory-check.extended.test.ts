import { DatabaseSync } from "node:sqlite";
import { FRAMEWORKS } from "@yagate/example-stage/story";
import { setTestStage } from "@yagate/example-stage/test-stage";
import { callTool } from "@yagate/handler/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { story } from "./story.ts";

function calling(name: string, ...calls: readonly Readonly<Record<string, string | number>>[]) {
  const toolCalls = calls.map((parameters) => ({ name: `inventory.${name}`, parameters }));
  return { input: "…", script: { turns: [{ toolCalls }, { text: "done" }] } };
}

describe("the inventory check example", () => {
  it.each(FRAMEWORKS)("reserves the story's pieces in %s", async (framework) => {
    const { yagate, agentId, surroundings } = await setTestStage(story, framework, "scripted/keyword");
    const execution = await yagate.agents.execute(agentId, { input: story.question });
    expect(execution.toolCalls.map(({ name, result }) => [name, result])).toEqual([
      ["inventory.reserve_stock", { reservation: execution.toolCalls[0]?.id, sku: "SKU-100", pieces: 2, left: 1 }],
    ]);
    expect(surroundings.inventory.find("SKU-100")?.available).toBe(1);
  });

  it("says what is in stock", async () => {
    const { yagate, agentId } = await setTestStage(story);
    const execution = await yagate.agents.execute(agentId, calling("check_stock", { sku: "SKU-100" }));
    expect(execution.toolCalls[0]?.result).toEqual({ sku: "SKU-100", name: "teapot", available: 3 });
  });

  it.each([
    ["more than is in stock", { sku: "SKU-100", pieces: 4 }, "OUT_OF_STOCK", { available: 3 }],
    ["an item that is sold out", { sku: "SKU-200", pieces: 1 }, "OUT_OF_STOCK", { available: 0 }],
    ["an unknown item", { sku: "SKU-999", pieces: 1 }, "ITEM_UNKNOWN", undefined],
  ])("does not reserve %s", async (_what, parameters, code, details) => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    const execution = await yagate.agents.execute(agentId, calling("reserve_stock", parameters));
    const { error } = execution.toolCalls[0] ?? {};
    expect({ code: error?.code, details: error?.details }).toEqual({ code, details });
    expect(surroundings.inventory.find("SKU-100")?.available).toBe(3);
  });

  it("gives three pieces to three of eight calls at once", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    const wishes = Array.from({ length: 8 }, () => ({ sku: "SKU-100", pieces: 1 }));
    const execution = await yagate.agents.execute(agentId, calling("reserve_stock", ...wishes));
    expect(execution.toolCalls.filter(({ status }) => status === "completed")).toHaveLength(3);
    expect(surroundings.inventory.find("SKU-100")?.available).toBe(0);
  });

  it("takes one piece for a call that arrives twice", async () => {
    const { handler: url, signingSecret: secret, surroundings } = await setTestStage(story);
    const parameters = { sku: "SKU-100", pieces: 1 };
    const call = { secret, url, name: "reserve_stock", parameters, toolCallId: "tc_twice" };
    const answers = await Promise.all([callTool(fetch, call), callTool(fetch, call), callTool(fetch, call)]);
    expect(answers.map(({ result }) => result)).toEqual(Array.from({ length: 3 }, () => answers[0]?.result));
    expect(surroundings.inventory.find("SKU-100")?.available).toBe(2);
  });

  it("tries again when another process has locked the database", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    const other = new DatabaseSync(surroundings.path);
    onTestFinished(() => other.close());
    other.exec("BEGIN IMMEDIATE");
    const execution = await yagate.agents.execute(agentId, {
      ...calling("reserve_stock", { sku: "SKU-100", pieces: 1 }),
      onEvent: (event) => void (event.type === "attempt.finished" && other.isTransaction && other.exec("ROLLBACK")),
    });
    expect(execution.toolCalls[0]?.attempts.map(({ errorCode }) => errorCode)).toEqual(["INVENTORY_BUSY", undefined]);
    expect(surroundings.inventory.find("SKU-100")?.available).toBe(2);
  });
});
