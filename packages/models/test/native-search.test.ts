import type { JsonValue } from "@yagate/protocol";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createModels } from "../src/create-models.ts";
import type { ModelMessage, ModelTool, ModelTurn, ModelTurnRequest } from "../src/port.ts";
import { searchFormOf } from "../src/search/search-form.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { answered, LOOKUP_ORDER, QUESTION, turnRequest } from "./support/turn-request.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";
import { anthropic } from "./support/wires/anthropic.ts";
import { compatibleOpenAi } from "./support/wires/chat-completions.ts";
import { openAiResponses } from "./support/wires/openai-responses.ts";
import type { WireContent, WireFormat } from "./support/wires/wire-format.ts";

const servers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const SEARCH: ModelTool = {
  name: "tool_search",
  description: "Finds tools.",
  parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
};
const REFUND: ModelTool = {
  name: "orders.refund",
  description: "Refunds an order.",
  parameters: { type: "object", properties: { orderId: { type: "string" } } },
};
const CANCEL: ModelTool = { ...REFUND, name: "orders.cancel", description: "Cancels an order." };

const foundText = (...names: readonly string[]) =>
  JSON.stringify({ tools: names.map((name) => ({ name, description: "It." })), note: "You can call these tools." });

const DONE = { text: "done", end: "complete" } as const;
const wholeOf = ({ whole }: WireFormat, content: WireContent): object => whole?.(content) ?? {};
const FORMS = ["whole", "streamed"] as const;
type Form = (typeof FORMS)[number];
const listenerOf = (form: Form): Pick<ModelTurnRequest, "onTextDelta"> =>
  form === "whole" ? {} : { onTextDelta: () => {} };

const toolsSchema = z.array(z.looseObject({ name: z.string(), defer_loading: z.boolean().optional() }));
const itemsSchema = z.array(z.looseObject({ type: z.string().optional() }));

/** One request body, as far as these tests read it. */
function bodyOf(body: JsonValue | undefined): Record<string, JsonValue> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw new Error("expected a JSON object");
  return body;
}

/** Asks the model, as the gateway does: every turn has the tools that the turns before it have loaded. */
async function play(
  origin: string,
  settings: Parameters<typeof createModels>[0]["providers"],
  model: string,
  answers: readonly WireAnswer[],
) {
  const server = await startWireServer(answers);
  servers.push(server);
  const { fetch, requests } = recordingFetch({ from: origin, to: server.url });
  const models = createModels({ providers: settings, fetch, now: () => Date.parse("2026-11-29") });
  let calls = 0;
  const newToolCallId = () => `tc_${++calls}`;
  const ask = (tools: readonly ModelTool[], messages: readonly ModelMessage[], form: Form) =>
    models.runTurn(
      turnRequest({
        ...{ model, tools, messages: [QUESTION, ...messages], searchTool: "tool_search", newToolCallId },
        ...listenerOf(form),
      }),
    );
  return { ask, bodies: () => requests.map(({ body }) => bodyOf(body)) };
}

const afterSearch = (turn: ModelTurn, text: string): readonly ModelMessage[] =>
  // As the journal keeps it.
  answered(JSON.parse(JSON.stringify(turn)), [{ isError: false, text }]);

describe("OpenAI's Responses API", () => {
  const call = (id: string) => ({
    ...{ type: "tool_search_call", id: `tsc_${id}`, execution: "client", call_id: `call_${id}`, status: "completed" },
    arguments: { query: "refund an order" },
  });
  const end = (output: readonly object[]) => ({
    ...{ id: "resp_1", created_at: 1, model: "gpt-5.4", status: "completed", output },
    usage: { input_tokens: 11, output_tokens: 7 },
  });
  const answer = (form: Form, id: string): WireAnswer => {
    const item = call(id);
    if (form === "whole") return { body: end([item]) };
    const events = [
      { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5.4" } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: end([item]) },
    ];
    return { body: events.map((event) => JSON.stringify(event)) };
  };
  const last: WireAnswer = { body: wholeOf(openAiResponses, DONE) };
  const playWith = (answers: readonly WireAnswer[], model = "openai/gpt-5.4") =>
    play("https://api.openai.com", { openai: { apiKey: "sk-test" } }, model, answers);
  const loaded = ({ description, parameters }: ModelTool, name: string) => ({
    ...{ type: "function", name, description, parameters, defer_loading: true },
  });

  it.each(FORMS)("gets the search as its own tool, and the definitions with the result, %s", async (form) => {
    const { ask, bodies } = await playWith([answer(form, "1"), answer(form, "2"), last]);
    const first = await ask([LOOKUP_ORDER, SEARCH], [], form);
    expect(first).toMatchObject({
      finishReason: "tool_calls",
      toolCalls: [{ name: "tool_search", providerCallId: "call_1", parameters: { query: "refund an order" } }],
      hostedCalls: [],
    });
    const searched = afterSearch(first, foundText("orders.refund"));
    const second = await ask([LOOKUP_ORDER, SEARCH, REFUND], searched, form);
    const again = [...searched, ...afterSearch(second, foundText("orders.refund", "orders.cancel"))];
    await ask([LOOKUP_ORDER, SEARCH, REFUND, CANCEL], again, "whole");

    const tools = bodies().map((body) => body["tools"]);
    expect(tools[0]).toMatchObject([
      { type: "function", name: "orders_lookup" },
      {
        ...{ type: "tool_search", execution: "client", description: "Finds tools.", parameters: SEARCH.parameters },
      },
    ]);
    // The cached beginning of the request is the same in every turn.
    expect(tools.map((list) => JSON.stringify(list))).toEqual(tools.map(() => JSON.stringify(tools[0])));
    const [, , third] = bodies();
    const items = itemsSchema.parse(third?.["input"]);
    expect(items.filter(({ type }) => type?.startsWith("tool_search") === true)).toEqual([
      { ...call("1") },
      {
        ...{ type: "tool_search_output", execution: "client", call_id: "call_1", status: "completed" },
        tools: [loaded(REFUND, "orders_refund")],
      },
      { ...call("2") },
      {
        ...{ type: "tool_search_output", execution: "client", call_id: "call_2", status: "completed" },
        tools: [loaded(CANCEL, "orders_cancel")],
      },
    ]);
    expect(items.some(({ type }) => type === "function_call_output")).toBe(false);
  });

  it("gets a tool that was called without a search as a function, and an empty result of a failed search", async () => {
    const { ask, bodies } = await playWith([answer("whole", "1"), last]);
    const first = await ask([SEARCH], [], "whole");
    const failed = answered(first, [{ isError: true, text: '{"error":{"code":"BUDGET_EXCEEDED"}}' }]);
    await ask([SEARCH, REFUND], failed, "whole");
    const [, second] = bodies();
    expect(second?.["tools"]).toMatchObject([{ type: "tool_search" }, { type: "function", name: "orders_refund" }]);
    expect(second?.["input"]).toContainEqual(expect.objectContaining({ type: "tool_search_output", tools: [] }));
  });

  it("gets a function where the model is older", async () => {
    const { ask, bodies } = await playWith([last], "openai/gpt-5.3");
    await ask([SEARCH], [], "whole");
    expect(bodies()[0]?.["tools"]).toMatchObject([{ type: "function", name: "tool_search" }]);
  });
});

describe("Anthropic", () => {
  const body = (form: Form, content: WireContent): WireAnswer => ({
    body: form === "whole" ? wholeOf(anthropic, content) : anthropic.stream(content),
  });
  const searching = {
    calls: [{ id: "toolu_1", name: "tool_search", arguments: '{"query":"refund"}' }],
    end: "complete",
  } as const;
  const playWith = (answers: readonly WireAnswer[], model = "anthropic/claude-sonnet-4-5") =>
    play("https://api.anthropic.com", { anthropic: { apiKey: "sk-test" } }, model, answers);
  const last = body("whole", DONE);

  it.each(FORMS)("gets references in the result, and the definitions deferred, %s", async (form) => {
    const { ask, bodies } = await playWith([body(form, searching), body(form, DONE)]);
    const first = await ask([LOOKUP_ORDER, SEARCH], [], form);
    expect(first.toolCalls).toMatchObject([{ name: "tool_search", parameters: { query: "refund" } }]);
    const found = afterSearch(first, foundText("orders.refund", "orders.unknown"));
    await ask([LOOKUP_ORDER, SEARCH, REFUND, CANCEL], found, form);
    const [one, two] = bodies();
    const tools = toolsSchema.parse(two?.["tools"]);
    expect(tools.map(({ name, defer_loading }) => [name, defer_loading])).toEqual([
      ["orders_lookup", undefined],
      ["tool_search", undefined],
      ["orders_refund", true],
      // No result refers to it, so the model would not see it if it were deferred.
      ["orders_cancel", undefined],
    ]);
    expect(tools.slice(0, 2)).toEqual(one?.["tools"]);
    expect(JSON.stringify(two?.["messages"])).toContain(
      '"content":[{"type":"tool_reference","tool_name":"orders_refund"}]',
    );
  });

  it("gets the text of a search that found nothing or failed", async () => {
    const { ask, bodies } = await playWith([body("whole", searching), last]);
    const first = await ask([SEARCH], [], "whole");
    await ask([SEARCH], afterSearch(first, '{"tools":[],"note":"Nothing matches."}'), "whole");
    expect(JSON.stringify(bodies()[1]?.["messages"])).toContain("Nothing matches.");
  });
});

describe("a server of another provider", () => {
  it("gets functions, at the end of those that it had", async () => {
    const searching = {
      calls: [{ id: "c1", name: "tool_search", arguments: '{"query":"refund"}' }],
      end: "complete",
    } as const;
    const server = await startWireServer([
      { body: wholeOf(compatibleOpenAi, searching) },
      { body: wholeOf(compatibleOpenAi, DONE) },
    ]);
    servers.push(server);
    const { fetch, requests } = recordingFetch();
    const models = createModels({ providers: compatibleOpenAi.settings(server.url), fetch, now: () => 0 });
    const ask = (tools: readonly ModelTool[], messages: readonly ModelMessage[]) =>
      models.runTurn(turnRequest({ model: compatibleOpenAi.model, tools, messages, searchTool: "tool_search" }));
    const first = await ask([LOOKUP_ORDER, SEARCH], [QUESTION]);
    await ask([LOOKUP_ORDER, SEARCH, REFUND], [QUESTION, ...afterSearch(first, foundText("orders.refund"))]);
    const [one, two] = requests.map(({ body }) => bodyOf(body)["tools"] as readonly JsonValue[]);
    expect(two?.slice(0, 2)).toEqual(one);
    expect(two?.[2]).toMatchObject({ type: "function", function: { name: "orders_refund" } });
    expect(JSON.stringify(requests[1]?.body)).toContain("You can call these tools.");
  });
});

describe("the form of a model", () => {
  const OWN = { anthropic: "https://api.anthropic.com/v1", openai: "https://eu.api.openai.com/v1" } as const;

  it.each([
    ["anthropic", "claude-sonnet-4-5", true],
    ["anthropic", "claude-haiku-4-5-20251001", true],
    ["anthropic", "claude-opus-4-8", true],
    ["anthropic", "claude-fable-5-2", true],
    ["anthropic", "claude-opus-5", true],
    ["anthropic", "claude-opus-4-1", false],
    ["anthropic", "claude-opus-4-1-20250805", false],
    ["anthropic", "claude-opus-4-20250514", false],
    ["anthropic", "claude-3-5-sonnet-20241022", false],
    ["openai", "gpt-5.4", true],
    ["openai", "gpt-5.5-mini", true],
    ["openai", "gpt-6", true],
    ["openai", "gpt-5.3", false],
    ["openai", "gpt-5", false],
    ["openai", "gpt-4.1", false],
    ["openai", "o3", false],
  ] as const)("%s %s: %s", (provider, model, isNative) => {
    expect(searchFormOf(provider, OWN[provider], model)).toBe(isNative ? provider : undefined);
    expect(searchFormOf(provider, "https://proxy.example/v1", model)).toBeUndefined();
  });

  it("is none at other providers", () => {
    expect(searchFormOf("xai", "https://api.x.ai/v1", "grok-5")).toBeUndefined();
  });
});
