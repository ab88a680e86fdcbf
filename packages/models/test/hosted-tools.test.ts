import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@yagate/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { HostedTool, ModelTurn, ModelTurnRequest } from "../src/port.ts";
import { anthropic, HOSTED_ANSWER, HOSTED_WIRES, type HostedWire, olderGemini } from "./support/hosted-bodies.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { QUESTION, turnRequest } from "./support/turn-request.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";

const servers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function connect(wire: HostedWire, answers: readonly WireAnswer[]) {
  const server = await startWireServer(answers);
  servers.push(server);
  const { fetch, requests } = recordingFetch({ from: wire.origin, to: server.url });
  const models = createModels({ providers: wire.settings(server.url), fetch, now: () => Date.parse("2026-11-21") });
  return { models, requests };
}

const SEARCH: HostedTool = { hosted: "web_search", name: "web_search" };
const limited: HostedTool = { ...SEARCH, allowedDomains: ["news.example"] };
const FORMS = ["whole", "streamed"] as const;
const bodyOf = (wire: HostedWire, form: (typeof FORMS)[number]) => (form === "whole" ? wire.whole : wire.stream);
const listenerOf = (form: (typeof FORMS)[number]): Pick<ModelTurnRequest, "onTextDelta"> =>
  form === "whole" ? {} : { onTextDelta: () => {} };

/** Every object in a value, to look for one wherever it stands. */
function objectsIn(value: JsonValue | undefined): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

function holds(value: JsonValue | undefined, wanted: object): boolean {
  return objectsIn(value).some((found) => matches(found, wanted));
}

function matches(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return isDeepStrictEqual(found, wanted);
  if (typeof found !== "object" || found === null) return false;
  return Object.entries(wanted).every(([key, value]) => matches(Reflect.get(found, key), value));
}

const afterwards = (turn: ModelTurn) => [QUESTION, { role: "assistant", parts: turn.parts }, QUESTION] as const;

describe.each(HOSTED_WIRES)("$name, asked to search the web itself", (wire) => {
  const hasDomains = "type" in wire.sentTool && wire.name !== "Mistral";

  it.each(FORMS)(
    "gets the tool in its own form, and its search is recorded and never a call of ours, %s",
    async (form) => {
      const { models, requests } = await connect(wire, [{ body: bodyOf(wire, form) }]);
      const hostedTools = [hasDomains ? limited : SEARCH];
      const turn = await models.runTurn(turnRequest({ model: wire.model, hostedTools, ...listenerOf(form) }));

      expect(holds(requests[0]?.body, wire.sentTool)).toBe(true);
      // The agent's own tools go along.
      expect(holds(requests[0]?.body, { name: "shipping_quote" })).toBe(true);
      expect(turn).toMatchObject({
        text: HOSTED_ANSWER.text,
        finishReason: "stop",
        toolCalls: [],
        hostedCalls: [wire.call],
        sources: [{ url: HOSTED_ANSWER.url }],
        usage: { inputTokens: 1_000, outputTokens: 100 },
      });
      expect(turn.parts.map(({ type }) => type)).not.toContain("tool_call");
    },
  );

  it.each(FORMS)("gets back in the next turn what it gave, word for word, %s", async (form) => {
    const { models, requests } = await connect(wire, [{ body: bodyOf(wire, form) }, { body: wire.whole }]);
    const first = await models.runTurn(turnRequest({ model: wire.model, hostedTools: [SEARCH], ...listenerOf(form) }));
    // As the journal keeps it.
    const kept: ModelTurn = JSON.parse(JSON.stringify(first));
    await models.runTurn(
      turnRequest({ model: wire.model, hostedTools: [SEARCH], turn: 2, messages: afterwards(kept) }),
    );
    for (const repeated of wire.repeated) expect(holds(requests[1]?.body, repeated)).toBe(true);
  });

  it("has called a tool when one was required and it searched", async () => {
    const { models } = await connect(wire, [{ body: wire.whole }]);
    const request = turnRequest({ model: wire.model, tools: [], hostedTools: [SEARCH], toolChoice: "required" });
    await expect(models.runTurn(request)).resolves.toMatchObject({ finishReason: "stop" });
  });
});

// Mistral searches in an API that is not even spoken without the tool.
describe.each(HOSTED_WIRES.filter(({ name }) => name !== "Mistral"))("$name, not asked to", (wire) => {
  it.each(FORMS)(
    "keeps a search that nobody asked for apart from a tool of the agent of that name, %s",
    async (form) => {
      const own = { name: "web_search", description: "Ours.", parameters: { type: "object", properties: {} } };
      const body = bodyOf(wire, form);
      const { models } = await connect(wire, [{ body }]);
      const turn = await models.runTurn(turnRequest({ model: wire.model, tools: [own], ...listenerOf(form) }));
      expect(turn).toMatchObject({ finishReason: "stop", toolCalls: [], text: HOSTED_ANSWER.text });
      expect(turn.hostedCalls).toHaveLength(1);
    },
  );

  it("is not even offered it where no tool may be called", async () => {
    const { models, requests } = await connect(wire, [{ body: wire.whole }]);
    await models.runTurn(turnRequest({ model: wire.model, hostedTools: [SEARCH], toolChoice: "none" }));
    expect(holds(requests[0]?.body, wire.sentTool)).toBe(false);
    expect(JSON.stringify(requests[0]?.body)).not.toMatch(/web_search|googleSearch/);
  });
});

describe("Gemini before 3", () => {
  it.each(FORMS)("tells of its searches beside the answer, and they are recorded, %s", async (form) => {
    const { models, requests } = await connect(olderGemini, [{ body: bodyOf(olderGemini, form) }]);
    const request = turnRequest({ model: olderGemini.model, tools: [], hostedTools: [SEARCH], ...listenerOf(form) });
    const turn = await models.runTurn(request);
    expect(holds(requests[0]?.body, olderGemini.sentTool)).toBe(true);
    expect(turn).toMatchObject({ hostedCalls: [olderGemini.call], sources: [{ url: HOSTED_ANSWER.url }] });
    expect(turn.parts).toMatchObject([{ type: "text", text: HOSTED_ANSWER.text }]);
  });

  it("fails where it would be given the search and lose the agent's tools", async () => {
    const { models } = await connect(olderGemini, [{ body: olderGemini.whole }]);
    const request = turnRequest({ model: olderGemini.model, hostedTools: [SEARCH] });
    await expect(models.runTurn(request)).rejects.toMatchObject({
      code: "MODEL_ERROR",
      isRetryable: false,
      message: expect.stringContaining("combination of function and provider-defined tools"),
    });
  });
});

it.each([
  ["deepseek/deepseek-flash", { deepseek: { apiKey: "k" } }],
  ["openai/llama", { openai: { apiKey: "k", baseUrl: "http://127.0.0.1:9/v1" } }],
  ["house/llama", { house: { baseUrl: "http://127.0.0.1:9/v1" } }],
  ["scripted/keyword", {}],
])("%s cannot search the web, and says so before anything is sent", async (model, providers) => {
  const { fetch, requests } = recordingFetch();
  const run = createModels({ providers, fetch }).runTurn(turnRequest({ model, hostedTools: [SEARCH] }));
  await expect(run).rejects.toMatchObject({ code: "MODEL_ERROR", isRetryable: false });
  expect(requests).toEqual([]);
});

describe("a provider that answers with what nobody asked for", () => {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-20250514" };
  const usage = { input_tokens: 5, output_tokens: 5 };
  const result = { type: "web_search_tool_result", tool_use_id: "srvtoolu_9", content: [] };
  const whole = { ...message, content: [result, { type: "text", text: "Found." }], stop_reason: "end_turn", usage };
  const stream = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: result },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "Found." } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  ].map((event) => JSON.stringify(event));

  it.each([
    ["whole", whole, {}],
    ["streamed", stream, { onTextDelta: () => {} }],
  ])("is taken at its word about a result without a call, %s", async (_form, body, listener) => {
    const { models, requests } = await connect(anthropic, [{ body }, { body: anthropic.whole }]);
    const turn = await models.runTurn(turnRequest({ model: anthropic.model, ...listener }));
    expect(turn).toMatchObject({ toolCalls: [], hostedCalls: [{ id: "srvtoolu_9", status: "completed", output: [] }] });
    // A result alone would be refused.
    await models.runTurn(turnRequest({ model: anthropic.model, turn: 2, messages: afterwards(turn) }));
    expect(holds(requests[1]?.body, { type: "server_tool_use", id: "srvtoolu_9" })).toBe(true);
  });

  it("has its own failures recorded as failures", async () => {
    const failed = { ...result, content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" } };
    const body = { ...whole, content: [failed, { type: "text", text: "I could not." }] };
    const { models } = await connect(anthropic, [{ body }]);
    const turn = await models.runTurn(turnRequest({ model: anthropic.model, hostedTools: [SEARCH] }));
    expect(turn.hostedCalls).toMatchObject([
      { status: "failed", output: { type: "web_search_tool_result_error", errorCode: "max_uses_exceeded" } },
    ]);
  });

  it("does not get a script among the sources", async () => {
    const content = [
      { type: "web_search_result", url: "javascript:alert(1)", title: "Click", page_age: null, encrypted_content: "" },
      { type: "web_search_result", url: "https://a.example/", title: "A", page_age: null, encrypted_content: "" },
      { type: "web_search_result", url: "https://a.example/", title: "Again", page_age: null, encrypted_content: "" },
    ];
    const { models } = await connect(anthropic, [{ body: { ...whole, content: [{ ...result, content }] } }]);
    const turn = await models.runTurn(turnRequest({ model: anthropic.model, hostedTools: [SEARCH] }));
    expect(turn.sources).toEqual([{ title: "Click" }, { url: "https://a.example/", title: "A" }]);
  });
});

describe("Anthropic, pausing over its searches", () => {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-20250514" };
  const usage = { input_tokens: 10, output_tokens: 2 };
  const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "a" } };
  const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
  const paused = { ...message, content: [{ type: "text", text: "Wait. " }, search], stop_reason: "pause_turn", usage };
  const ended = { ...message, content: [found, { type: "text", text: "Done." }], stop_reason: "end_turn", usage };

  it("is asked to go on, in the same turn", async () => {
    const { models, requests } = await connect(anthropic, [{ body: paused }, { body: ended }]);
    const turn = await models.runTurn(turnRequest({ model: anthropic.model, hostedTools: [SEARCH] }));
    expect(turn).toMatchObject({
      text: "Wait. Done.",
      finishReason: "stop",
      hostedCalls: [{ id: "srvtoolu_1", input: { query: "a" }, status: "completed" }],
      usage: { inputTokens: 20, outputTokens: 4 },
    });
    expect(requests).toHaveLength(2);
    expect(holds(requests[1]?.body, search)).toBe(true);
    expect(turn.parts.map(({ type }) => type)).toEqual(["text", "hosted_call", "hosted_result", "text"]);
  });

  it("is not asked for ever", async () => {
    const pauses = Array.from({ length: 9 }, (_, index) => ({
      body: { ...paused, content: [{ ...search, id: `srvtoolu_${index}` }] },
    }));
    const { models, requests } = await connect(anthropic, pauses);
    const turn = await models.runTurn(turnRequest({ model: anthropic.model, hostedTools: [SEARCH] }));
    expect(turn.finishReason).toBe("length");
    expect(requests).toHaveLength(5);
  });
});
