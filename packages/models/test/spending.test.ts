import { afterEach, describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { HostedTool } from "../src/port.ts";
import type { ProvidersSettings } from "../src/provider-settings.ts";
import { HOSTED_WIRES } from "./support/hosted-bodies.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { turnRequest } from "./support/turn-request.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";

const servers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const OPENAI = "https://api.openai.com";
const SEARCH: HostedTool = { hosted: "web_search", name: "web_search" };

async function connect(
  answers: readonly WireAnswer[],
  origin = OPENAI,
  providers: ProvidersSettings = { openai: { apiKey: "sk-test" } },
) {
  const server = await startWireServer(answers);
  servers.push(server);
  const { fetch } = recordingFetch({ from: origin, to: server.url });
  return createModels({ providers, fetch, now: () => Date.parse("2026-11-21") });
}

const message = (text: string) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});
const answer = (usage: unknown, output: readonly object[] = [message("Hi.")]) => ({
  body: { id: "resp_1", created_at: 1, model: "gpt-5", status: "completed", output, usage },
});

describe("what a turn of OpenAI's costs", () => {
  it("follows from what it says of its tokens", async () => {
    const models = await connect([
      answer({
        input_tokens: 10_000,
        input_tokens_details: { cached_tokens: 8_000 },
        output_tokens: 1_000,
        output_tokens_details: { reasoning_tokens: 700 },
      }),
    ]);
    const turn = await models.runTurn(turnRequest({ model: "gpt-5-2025-08-07" }));
    expect(turn.usage).toEqual({
      inputTokens: 10_000,
      cachedInputTokens: 8_000,
      outputTokens: 1_000,
      reasoningTokens: 700,
    });
    // 2000 × 1.25 + 8000 × 0.125 + 1000 × 10, per million.
    expect(turn.cost).toEqual({ usd: 0.0135, isPartial: false });
  });

  it.each<[string, string, unknown]>([
    ["of a model without a price", "openai/gpt-9", { input_tokens: 10, output_tokens: 1 }],
    ["when it says nothing of its tokens", "gpt-5", undefined],
  ])("is 0 and partial %s", async (_when, model, usage) => {
    const models = await connect([answer(usage)]);
    const turn = await models.runTurn(turnRequest({ model }));
    expect(turn.cost).toEqual({ usd: 0, isPartial: true });
  });

  it("is never less for counts that are none", async () => {
    const usage = { input_tokens: 100, input_tokens_details: { cached_tokens: 1_000_000 }, output_tokens: -5 };
    const turn = await (await connect([answer(usage)])).runTurn(turnRequest({ model: "gpt-5" }));
    expect(turn.usage).toEqual({ inputTokens: 100, cachedInputTokens: 100, outputTokens: 0 });
    expect(turn.cost.usd).toBeGreaterThan(0);
  });

  it("is told also of a turn that failed once it was there", async () => {
    const call = { type: "function_call", id: "fc_1", call_id: "call_a", name: "shipping_quote", arguments: "{}" };
    const models = await connect([answer({ input_tokens: 1_000, output_tokens: 100 }, [call])]);
    await expect(models.runTurn(turnRequest({ model: "gpt-5", toolChoice: "none" }))).rejects.toMatchObject({
      code: "MODEL_ERROR",
      spending: { usage: { inputTokens: 1_000, outputTokens: 100 }, cost: { usd: 0.00225, isPartial: false } },
    });
  });

  it("is not known of a stream that broke off, and is nothing before it began", async () => {
    const created = { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5" } };
    const added = { type: "response.output_item.added", output_index: 0, item: { ...message(""), content: [] } };
    const delta = {
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta: "H",
    };
    const run = async (events: readonly object[]) => {
      const models = await connect([{ body: events.map((event) => JSON.stringify(event)), isCutOff: true }]);
      return models.runTurn(turnRequest({ model: "gpt-5", onTextDelta: () => {} }));
    };
    await expect(run([created, added, delta])).rejects.toMatchObject({
      spending: { usage: { inputTokens: 0, outputTokens: 0 }, cost: { usd: 0, isPartial: true } },
    });
    await expect(run([created])).rejects.toMatchObject({ spending: undefined });
  });

  it("is not known of an answer that cannot be read", async () => {
    for (const body of [{ output: 1 }, { padding: "a".repeat(9_000_000) }]) {
      const models = await connect([{ body }]);
      await expect(models.runTurn(turnRequest({ model: "gpt-5" }))).rejects.toMatchObject({
        spending: { cost: { usd: 0, isPartial: true } },
      });
    }
  });

  it("is nothing for a request that was turned down", async () => {
    const models = await connect([{ status: 429, body: { error: { message: "slow down" } } }]);
    await expect(models.runTurn(turnRequest({ model: "gpt-5" }))).rejects.toMatchObject({ spending: undefined });
  });
});

it.each<[string, number]>([
  // 1000 × 1.25 + 100 × 10 per million, and one search of 10 USD per thousand.
  ["OpenAI", 0.01225],
  // 1000 × 3 + 100 × 15 per million, and one search of 10 USD per thousand.
  ["Anthropic", 0.0145],
  // 1000 × 1.5 + 100 × 9 per million, and two queries of 14 USD per thousand.
  ["Gemini 3", 0.0304],
  // What it says itself, in 10⁻¹⁰ USD.
  ["xAI", 0.0123456789],
])("a search that %s ran is paid for", async (name, usd) => {
  const wire = HOSTED_WIRES.find((candidate) => candidate.name === name);
  if (wire === undefined) throw new Error(`expected a wire format of ${name}`);
  for (const body of [wire.whole, wire.stream]) {
    const server = await startWireServer([{ body }]);
    servers.push(server);
    const { fetch } = recordingFetch({ from: wire.origin, to: server.url });
    const models = createModels({ providers: wire.settings(""), fetch, now: () => Date.parse("2026-11-21") });
    const listener = Array.isArray(body) ? { onTextDelta: () => {} } : {};
    const turn = await models.runTurn(turnRequest({ model: wire.model, hostedTools: [SEARCH], ...listener }));
    expect(turn.cost).toEqual({ usd, isPartial: false });
  }
});

describe("what a turn costs whose provider pauses", () => {
  const search = (id: string) => ({ type: "server_tool_use", id, name: "web_search", input: { query: "a" } });
  const found = (id: string) => ({ type: "web_search_tool_result", tool_use_id: id, content: [] });
  const said = (content: readonly object[], stop_reason: string, inputTokens: number, searches: number) => ({
    body: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude",
      content,
      stop_reason,
      usage: {
        input_tokens: inputTokens,
        output_tokens: 1_000,
        server_tool_use: { web_search_requests: searches },
      },
    },
  });
  const runs = async (model: string, answers: readonly WireAnswer[]) => {
    const models = await connect(answers, "https://api.anthropic.com", { anthropic: { apiKey: "sk-ant-test" } });
    return models.runTurn(turnRequest({ model, hostedTools: [SEARCH] }));
  };

  it("is what each of its requests costs by itself", async () => {
    const answers = [
      said([search("a")], "pause_turn", 60_000, 0),
      said([found("a"), { type: "text", text: "Done." }], "end_turn", 60_000, 1),
    ];
    // Above 100 000 tokens a request of this model costs five times as much; neither of these is.
    // 2 × (60 000 × 0.1 + 1000 × 0.5) per million, and one search of 10 USD per thousand.
    const turn = await runs("claude-haiku-5-5", answers);
    expect(turn).toMatchObject({
      usage: { inputTokens: 120_000, outputTokens: 2_000 },
      cost: { usd: 0.023, isPartial: false },
    });
  });

  it("counts the searches that the provider counts, not those that it shows", async () => {
    const answers = [
      said([search("a"), found("a"), search("b"), found("b")], "pause_turn", 1_000, 2),
      said([search("c"), { type: "text", text: "Done." }], "end_turn", 1_000, 0),
    ];
    // 2 × (1000 × 3 + 1000 × 15) per million, and two searches.
    expect((await runs("claude-sonnet-4-5", answers)).cost).toEqual({ usd: 0.056, isPartial: false });
  });

  it("is what the requests cost that were answered, when a later one fails", async () => {
    const answers = [said([search("a")], "pause_turn", 60_000, 1), { status: 400, body: { error: { message: "no" } } }];
    await expect(runs("claude-haiku-5-5", answers)).rejects.toMatchObject({
      spending: { usage: { inputTokens: 60_000, outputTokens: 1_000 }, cost: { usd: 0.0165, isPartial: false } },
    });
  });
});

it("a search of Mistral's has no known price, so the cost is partial", async () => {
  const wire = HOSTED_WIRES.find(({ name }) => name === "Mistral");
  if (wire === undefined) throw new Error("expected a wire format of Mistral");
  const server = await startWireServer([{ body: wire.whole }]);
  servers.push(server);
  const { fetch } = recordingFetch({ from: wire.origin, to: server.url });
  const models = createModels({ providers: wire.settings(""), fetch });
  const turn = await models.runTurn(turnRequest({ model: wire.model, hostedTools: [SEARCH] }));
  expect(turn.cost).toEqual({ usd: 0.000889, isPartial: true });
});

it("a scripted model is free", async () => {
  const turn = await createModels({ providers: {}, fetch }).runTurn(turnRequest({ model: "scripted/keyword" }));
  expect(turn.cost).toEqual({ usd: 0, isPartial: false });
});
