import { outstanding } from "@yagate/execution-machine/effects";
import type { MachineInput } from "@yagate/execution-machine/inputs";
import type { AssistantPart } from "@yagate/models/port";
import type { HostedCall } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { ADMITTED, MachineWorld, planWith } from "../../../execution-machine/test/support/machine-world.ts";
import { parseAssistantMessage, toConversation } from "../../src/executions/run/conversation.ts";

type Responded = Extract<MachineInput, { type: "model_responded" }>;

const SEARCH: HostedCall = { id: "srv_1", name: "lookup", input: { query: "a" }, status: "completed", output: [] };
const NEWS = { url: "https://news.example/", title: "News" };

function respond(world: MachineWorld, change: Partial<Responded>) {
  const turn = world.state.turns.at(-1);
  return world.feed({
    type: "model_responded",
    turn: turn?.number ?? 0,
    attempt: turn?.attempt ?? 0,
    text: "",
    finishReason: "stop",
    calls: [],
    usage: { inputTokens: 10, outputTokens: 5 },
    cost: { usd: 0.1, credits: 0 },
    ...change,
  });
}

describe("provider-run tools", () => {
  it("are recorded with the model turn, and never run, wait or count as calls, even under the name of a tool", () => {
    const world = new MachineWorld(planWith({ lookup: {} })).start();
    respond(world, { text: "Found.", hostedCalls: [SEARCH], sources: [NEWS] });
    expect(world.events.find(({ type }) => type === "model.responded")).toMatchObject({
      toolCalls: [],
      hostedCalls: [SEARCH],
      sources: [NEWS],
    });
    expect(world.events.map(({ type }) => type)).not.toContain("tool_call.requested");
    expect(world.state).toMatchObject({
      status: "completed",
      output: { text: "Found.", sources: [NEWS] },
      usage: { inputTokens: 10, outputTokens: 5, toolCalls: 0, hostedToolCalls: 1 },
    });
  });

  it("stand beside calls of the agent's tools, and only the latter are sent", () => {
    const world = new MachineWorld(planWith({ lookup: {} })).start();
    const call = { toolCallId: "tc_1", name: "lookup", parameters: {}, admission: ADMITTED };
    respond(world, { finishReason: "tool_calls", calls: [call], hostedCalls: [SEARCH], sources: [NEWS] });
    const effects = outstanding(world.state, world.config);
    expect(effects.map((effect) => effect.type)).toEqual(["attempt"]);
    for (const effect of effects) world.finish(effect, { result: "ok" });
    respond(world, { text: "Done.", sources: [NEWS, { title: "A book" }] });
    expect(world.state).toMatchObject({
      usage: { toolCalls: 1, hostedToolCalls: 1 },
      output: { text: "Done.", sources: [NEWS, { title: "A book" }] },
    });
  });

  it("are counted once when a result comes in a later model turn", () => {
    const world = new MachineWorld(planWith({ lookup: {} })).start();
    const call = { toolCallId: "tc_1", name: "lookup", parameters: {}, admission: ADMITTED };
    const { output: _output, ...asked } = SEARCH;
    respond(world, { finishReason: "tool_calls", calls: [call], hostedCalls: [{ ...asked, status: "pending" }] });
    for (const effect of outstanding(world.state, world.config)) world.finish(effect, { result: "ok" });
    respond(world, { text: "Done.", hostedCalls: [{ ...SEARCH, input: null }] });
    expect(world.state.usage.hostedToolCalls).toBe(1);
  });

  it("leave no trace in the log of an execution without them", () => {
    const world = new MachineWorld(planWith({})).start();
    respond(world, { text: "Done.", hostedCalls: [], sources: [] });
    const responded = world.events.find(({ type }) => type === "model.responded");
    expect(responded).not.toHaveProperty("hostedCalls");
    expect(responded).not.toHaveProperty("sources");
    expect(world.state.output).toEqual({ text: "Done." });
    expect(world.state.usage).toEqual({ inputTokens: 10, outputTokens: 5, toolCalls: 0 });
  });

  it("are stored in the message and read again word for word after a crash", () => {
    const parts: readonly AssistantPart[] = [
      { type: "hosted_call", providerCallId: "srv_1", name: "web_search", input: { query: "a" } },
      {
        type: "hosted_result",
        providerCallId: "srv_1",
        name: "web_search",
        output: [{ encryptedContent: "c2VjcmV0" }],
        isError: false,
        providerMetadata: { anthropic: { caller: "direct" } },
      },
      { type: "text", text: "Found." },
    ];
    const kept = parseAssistantMessage(JSON.parse(JSON.stringify(parts)));
    expect(kept).toEqual(parts);

    const world = new MachineWorld(planWith({})).start();
    respond(world, { text: "Found.", hostedCalls: [SEARCH] });
    const conversation = toConversation(world.state, "a question", new Map([[1, kept]]));
    expect(conversation).toEqual([
      { role: "user", text: "a question" },
      { role: "assistant", parts },
    ]);
  });
});

describe("tokens and costs of an execution", () => {
  it("are the exact sums over its model turns, with the details that providers report", () => {
    const world = new MachineWorld(planWith({ lookup: {} })).start();
    for (const [index, usage] of [
      { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 },
      { inputTokens: 20, outputTokens: 6, reasoningTokens: 3, cacheWriteTokens: 1 },
      { inputTokens: 30, outputTokens: 7, cachedInputTokens: 9 },
    ].entries()) {
      const call = { toolCallId: `tc_${index}`, name: "lookup", parameters: {}, admission: ADMITTED };
      respond(world, { finishReason: "tool_calls", calls: [call], usage });
      for (const effect of outstanding(world.state, world.config)) world.finish(effect, { result: "ok" });
    }
    expect(world.state.usage).toEqual({
      inputTokens: 60,
      outputTokens: 18,
      cachedInputTokens: 13,
      cacheWriteTokens: 1,
      reasoningTokens: 3,
      toolCalls: 3,
    });
    expect(world.state.cost).toEqual({ usd: 0.3, credits: 0 });
  });

  it("include those of a failed model turn, and say that a part is unknown", () => {
    const world = new MachineWorld(planWith({})).start();
    const spending = { usage: { inputTokens: 7, outputTokens: 1 }, cost: { usd: 0.2, credits: 0, isPartial: true } };
    world.modelFails({ spending });
    expect(world.events.find(({ type }) => type === "model.failed")).toMatchObject(spending);
    world.now += 60_000;
    world.feed({ type: "tick" });
    respond(world, { text: "Done." });
    expect(world.state).toMatchObject({
      status: "completed",
      usage: { inputTokens: 17, outputTokens: 6 },
      cost: { usd: 0.3, credits: 0, isPartial: true },
    });
    expect(world.events.at(-1)).toMatchObject({ cost: { usd: 0.3, isPartial: true } });
  });
});
