import type { JsonValue } from "@yagate/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { HostedTool, ModelTurn, ModelTurnRequest } from "../src/port.ts";
import type { ProvidersSettings } from "../src/provider-settings.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { QUESTION, turnRequest } from "./support/turn-request.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";

const servers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const CODE = "print(6 * 7)";
const TEXT = "It is 42.";
const NOW = () => Date.parse("2026-11-21");
const encode = (events: readonly object[]) => events.map((event) => JSON.stringify(event));

/** A provider that runs code itself, replying once with a run: its wire format, written by hand. */
interface CodeWire {
  readonly name: string;
  readonly model: string;
  readonly origin: string;
  readonly providers: ProvidersSettings;
  readonly whole: object;
  readonly stream: readonly string[];
  readonly sentTool: object;
  /** The record of the run; ids that the AI SDK makes up are not compared. */
  readonly call: object;
  /** What the next request says about the run. */
  readonly repeated: readonly string[];
}

const openAiItems = [
  {
    ...{ type: "code_interpreter_call", id: "ci_1", status: "completed", container_id: "cntr_1", code: CODE },
    outputs: [{ type: "logs", logs: "42\n" }],
  },
  {
    ...{ type: "message", id: "msg_1", role: "assistant" },
    content: [{ type: "output_text", text: TEXT, annotations: [] }],
  },
];
const openAiEnd = {
  ...{ id: "resp_1", created_at: 1, model: "gpt-5", status: "completed" },
  usage: { input_tokens: 1_000, output_tokens: 100 },
};
const openAi: CodeWire = {
  name: "OpenAI",
  model: "openai/gpt-5",
  origin: "https://api.openai.com",
  providers: { openai: { apiKey: "sk-test" } },
  whole: { ...openAiEnd, output: openAiItems },
  stream: encode([
    { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5" } },
    {
      ...{ type: "response.output_item.added", output_index: 0 },
      item: { ...openAiItems[0], status: "in_progress", code: "", outputs: null },
    },
    { type: "response.code_interpreter_call_code.delta", item_id: "ci_1", output_index: 0, delta: CODE },
    { type: "response.code_interpreter_call_code.done", item_id: "ci_1", output_index: 0, code: CODE },
    { type: "response.output_item.done", output_index: 0, item: openAiItems[0] },
    { type: "response.output_item.added", output_index: 1, item: { ...openAiItems[1], content: [] } },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, content_index: 0, delta: TEXT },
    { type: "response.output_item.done", output_index: 1, item: openAiItems[1] },
    { type: "response.completed", response: openAiEnd },
  ]),
  sentTool: { type: "code_interpreter", container: { type: "auto" } },
  call: {
    ...{ id: "ci_1", input: { code: CODE, containerId: "cntr_1" } },
    output: { outputs: [{ type: "logs", logs: "42\n" }] },
  },
  // Without storage at OpenAI, the model reads the run as text.
  repeated: [JSON.stringify(CODE).slice(1, -1), "[Its output]\\n42"],
};

const anthropicUse = { type: "server_tool_use", id: "srvtoolu_1", name: "bash_code_execution" };
const command = { command: `python3 -c '${CODE}'` };
const ran = { type: "bash_code_execution_result", stdout: "42\n", stderr: "", return_code: 0, content: [] };
const anthropicResult = (content: object) => ({
  ...{ type: "bash_code_execution_tool_result", tool_use_id: "srvtoolu_1", content },
});
const MESSAGE = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-20250514" };
const USAGE = { input_tokens: 1_000, output_tokens: 100 };
const anthropicWhole = (content: object) => ({
  ...MESSAGE,
  content: [{ ...anthropicUse, input: command }, anthropicResult(content), { type: "text", text: TEXT }],
  ...{ stop_reason: "end_turn", usage: USAGE },
});
const anthropicStream = (content: object) =>
  encode([
    { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } },
    { type: "content_block_start", index: 0, content_block: { ...anthropicUse, input: {} } },
    {
      ...{ type: "content_block_delta", index: 0 },
      delta: { type: "input_json_delta", partial_json: JSON.stringify(command) },
    },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: anthropicResult(content) },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: TEXT } },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: USAGE },
    { type: "message_stop" },
  ]);
const anthropic: CodeWire = {
  name: "Anthropic",
  model: "claude-sonnet-4-20250514",
  origin: "https://api.anthropic.com",
  providers: { anthropic: { apiKey: "sk-ant-test" } },
  whole: anthropicWhole(ran),
  stream: anthropicStream(ran),
  sentTool: { type: "code_execution_20250825", name: "code_execution" },
  call: { id: "srvtoolu_1", input: { type: "bash_code_execution", ...command }, output: ran },
  repeated: [
    '"name":"bash_code_execution"',
    `"input":${JSON.stringify(command)}`,
    '"type":"bash_code_execution_tool_result"',
    '"stdout":"42\\n"',
  ],
};

const geminiReply = {
  candidates: [
    {
      content: {
        role: "model",
        parts: [
          { executableCode: { language: "PYTHON", code: CODE } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n" } },
          { text: TEXT },
        ],
      },
      finishReason: "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 100, totalTokenCount: 1_100 },
};
const gemini: CodeWire = {
  name: "Gemini 3",
  model: "gemini-3.5-flash",
  origin: "https://generativelanguage.googleapis.com",
  providers: { google: { apiKey: "google-test" } },
  whole: geminiReply,
  stream: encode([geminiReply]),
  sentTool: { codeExecution: {} },
  call: { input: { language: "PYTHON", code: CODE }, output: { outcome: "OUTCOME_OK", output: "42\n" } },
  repeated: [
    `"executableCode":${JSON.stringify({ language: "PYTHON", code: CODE })}`,
    '"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"42\\n"}',
  ],
};

const FORMS = ["whole", "streamed"] as const;
type Form = (typeof FORMS)[number];
const bodyOf = (wire: CodeWire, form: Form) => (form === "whole" ? wire.whole : wire.stream);
const listenerOf = (form: Form): Pick<ModelTurnRequest, "onTextDelta"> =>
  form === "whole" ? {} : { onTextDelta: () => {} };
const RUN: HostedTool = { hosted: "code_exec", name: "code_exec" };

async function connect({ origin, providers }: CodeWire, answers: readonly WireAnswer[]) {
  const server = await startWireServer(answers);
  servers.push(server);
  const { fetch, requests } = recordingFetch({ from: origin, to: server.url });
  return { models: createModels({ providers, fetch, now: NOW }), requests };
}

const textOf = (body: JsonValue | undefined) => JSON.stringify(body);

describe.each([openAi, anthropic, gemini])("$name, asked to run code itself", (wire) => {
  it.each(FORMS)(
    "gets the tool in its own form, and what ran is recorded and never a call of ours, %s",
    async (form) => {
      const { models, requests } = await connect(wire, [{ body: bodyOf(wire, form) }]);
      const turn = await models.runTurn(turnRequest({ model: wire.model, hostedTools: [RUN], ...listenerOf(form) }));
      expect(requests[0]?.body).toMatchObject({
        tools: expect.arrayContaining([expect.objectContaining(wire.sentTool)]),
      });
      expect(textOf(requests[0]?.body)).toContain("shipping_quote");
      expect(turn).toMatchObject({
        ...{ text: TEXT, finishReason: "stop", toolCalls: [] },
        hostedCalls: [{ name: "code_exec", status: "completed", ...wire.call }],
        // Nothing says what the run cost.
        cost: { isPartial: true },
      });
      expect(turn.hostedCalls).toHaveLength(1);
      expect(turn.parts.map(({ type }) => type)).toEqual(["hosted_call", "hosted_result", "text"]);
    },
  );

  it.each(FORMS)("learns in the next turn what ran and what it printed, %s", async (form) => {
    const { models, requests } = await connect(wire, [{ body: bodyOf(wire, form) }, { body: wire.whole }]);
    const request = turnRequest({ model: wire.model, hostedTools: [RUN], ...listenerOf(form) });
    // As the event log keeps it.
    const kept: ModelTurn = JSON.parse(JSON.stringify(await models.runTurn(request)));
    const messages = [QUESTION, { role: "assistant", parts: kept.parts }, QUESTION] as const;
    await models.runTurn(turnRequest({ model: wire.model, hostedTools: [RUN], turn: 2, messages }));
    const sent = textOf(requests[1]?.body);
    for (const repeated of wire.repeated) expect(sent).toContain(repeated);
  });

  it("is not offered the tool where no tool may be called", async () => {
    const { models, requests } = await connect(wire, [{ body: wire.whole }]);
    await models.runTurn(turnRequest({ model: wire.model, hostedTools: [RUN], toolChoice: "none" }));
    expect(textOf(requests[0]?.body)).not.toMatch(/code_?(?:interpreter|execution)/i);
  });
});

it("a tool of the agent with OpenAI's name for the sandbox is still called by its own name", async () => {
  const called = { type: "function_call", id: "fc_1", call_id: "call_1", name: "code_interpreter", arguments: "{}" };
  const output = [openAiItems[0], { ...called, status: "completed" }];
  const { models } = await connect(openAi, [{ body: { ...openAiEnd, output } }]);
  const tools = [{ name: "code_interpreter", description: "Ours.", parameters: { type: "object" } }];
  const turn = await models.runTurn(turnRequest({ model: openAi.model, tools, hostedTools: [RUN] }));
  expect(turn.toolCalls).toMatchObject([{ name: "code_interpreter", providerCallId: "call_1" }]);
  expect(turn.hostedCalls).toMatchObject([{ name: "code_exec", status: "completed" }]);
});

describe("code of Anthropic that could not run", () => {
  const failed = { type: "bash_code_execution_tool_result_error", error_code: "execution_time_exceeded" };

  it.each(FORMS)("is recorded as a failure, and goes back as it came, %s", async (form) => {
    const wire = { ...anthropic, whole: anthropicWhole(failed), stream: anthropicStream(failed) };
    const { models, requests } = await connect(wire, [{ body: bodyOf(wire, form) }, { body: anthropic.whole }]);
    const turn = await models.runTurn(turnRequest({ model: wire.model, hostedTools: [RUN], ...listenerOf(form) }));
    expect(turn.hostedCalls).toMatchObject([{ status: "failed", output: failed }]);
    const messages = [QUESTION, { role: "assistant", parts: turn.parts }, QUESTION] as const;
    await models.runTurn(turnRequest({ model: wire.model, hostedTools: [RUN], turn: 2, messages }));
    expect(textOf(requests[1]?.body)).toContain('"error_code":"execution_time_exceeded"');
  });
});

describe("Gemini 2.5, asked to run code and to read pages", () => {
  const page = { retrievedUrl: "https://news.example/a", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" };
  const [candidate] = geminiReply.candidates;
  const READ: HostedTool = { hosted: "url_fetch", name: "url_fetch" };

  it("has both recorded", async () => {
    const body = { ...geminiReply, candidates: [{ ...candidate, urlContextMetadata: { urlMetadata: [page] } }] };
    const { models, requests } = await connect(gemini, [{ body }]);
    const hostedTools = [RUN, READ];
    const turn = await models.runTurn(turnRequest({ model: "gemini-2.5-flash", tools: [], hostedTools }));
    expect(requests[0]?.body).toMatchObject({ tools: [{ codeExecution: {} }, { urlContext: {} }] });
    expect(turn.hostedCalls).toMatchObject([
      { name: "code_exec", status: "completed" },
      { name: "url_fetch", status: "completed", input: { urls: [page.retrievedUrl] } },
    ]);
  });

  it.each([
    ["URL_RETRIEVAL_STATUS_SUCCESS", "completed"],
    ["URL_RETRIEVAL_STATUS_ERROR", "failed"],
    ["URL_RETRIEVAL_STATUS_UNSAFE", "failed"],
  ])("a page with the status %s is %s", async (urlRetrievalStatus, status) => {
    const urlMetadata = [{ ...page, urlRetrievalStatus }];
    const body = {
      ...geminiReply,
      candidates: [{ content: { role: "model", parts: [{ text: TEXT }] }, urlContextMetadata: { urlMetadata } }],
    };
    for (const form of FORMS) {
      const { models } = await connect(gemini, [
        {
          body:
            form === "whole"
              ? body
              : encode([{ ...body, candidates: [{ ...body.candidates[0], finishReason: "STOP" }] }]),
        },
      ]);
      const request = turnRequest({ model: "gemini-2.5-flash", tools: [], hostedTools: [READ], ...listenerOf(form) });
      expect((await models.runTurn(request)).hostedCalls).toEqual([
        {
          ...{ id: "url_context", name: "url_fetch", status },
          input: { urls: [page.retrievedUrl] },
          output: { pages: [{ url: page.retrievedUrl, status: urlRetrievalStatus }] },
        },
      ]);
    }
  });
});

describe("Gemini 3, asked to read pages", () => {
  const parts = [
    {
      toolCall: { id: "st_1", toolType: "URL_CONTEXT", args: { urls: ["https://news.example/a"] } },
      thoughtSignature: "c2ln",
    },
    { toolResponse: { id: "st_1", toolType: "URL_CONTEXT", response: { read: 1 } } },
    { text: TEXT },
  ];
  const urlMetadata = [{ retrievedUrl: "https://news.example/a", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" }];
  const body = {
    ...geminiReply,
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", urlContextMetadata: { urlMetadata } }],
  };

  it.each(FORMS)("has the page recorded once, and gets back what it gave, %s", async (form) => {
    const answer = { body: form === "whole" ? body : encode([body]) };
    const { models, requests } = await connect(gemini, [answer, { body }]);
    const hostedTools: HostedTool[] = [{ hosted: "url_fetch", name: "url_fetch" }];
    const turn = await models.runTurn(turnRequest({ model: gemini.model, hostedTools, ...listenerOf(form) }));
    expect(requests[0]?.body).toMatchObject({ tools: expect.arrayContaining([{ urlContext: {} }]) });
    expect(turn.hostedCalls).toMatchObject([
      { id: "st_1", name: "url_fetch", status: "completed", input: { urls: ["https://news.example/a"] } },
    ]);
    expect(turn.hostedCalls).toHaveLength(1);
    const messages = [QUESTION, { role: "assistant", parts: turn.parts }, QUESTION] as const;
    await models.runTurn(turnRequest({ model: gemini.model, hostedTools, turn: 2, messages }));
    expect(textOf(requests[1]?.body)).toContain('"toolType":"URL_CONTEXT"');
  });
});

it.each([
  ["openai/gpt-5", []],
  ["openai/gpt-4.1", []],
  ["openai/gpt-3.5-turbo", ["HOSTED_TOOL_UNSUPPORTED"]],
  ["claude-sonnet-4-20250514", []],
  ["claude-3-haiku-20240307", ["HOSTED_TOOL_UNSUPPORTED"]],
  ["gemini-3.5-flash", []],
  ["gemini-2.5-flash", []],
  ["gemini-2.5-flash-image", ["HOSTED_TOOL_UNSUPPORTED"]],
  ["gemini-1.5-pro", ["HOSTED_TOOL_UNSUPPORTED"]],
  ["deepseek/deepseek-chat", ["HOSTED_TOOL_UNSUPPORTED"]],
  ["scripted/keyword", ["HOSTED_TOOL_UNSUPPORTED"]],
])("whether %s runs code itself is known before", (model, codes) => {
  const models = createModels({ providers: {}, fetch: globalThis.fetch, now: NOW });
  const issues = models.check(model, [RUN]).map(({ code }) => code);
  expect(issues.filter((code) => code.startsWith("HOSTED_"))).toEqual(codes);
});

it("whether a model before Gemini 3 could then not call the agent's tools is known before", () => {
  const models = createModels({ providers: {}, fetch: globalThis.fetch, now: NOW });
  const own = { name: "own", description: "Ours.", parameters: { type: "object" } };
  const codesOf = (model: string) => models.check(model, [RUN, own]).map(({ code }) => code);
  expect(codesOf("gemini-2.5-flash")).toContain("HOSTED_TOOL_CONFLICT");
  expect(codesOf("gemini-3.5-flash")).not.toContain("HOSTED_TOOL_CONFLICT");
});

it("settings of a search are not silently ignored by a sandbox or by Gemini's reader", () => {
  const models = createModels({ providers: {}, fetch: globalThis.fetch, now: NOW });
  const codesOf = (model: string, tool: HostedTool) => models.check(model, [tool]).map(({ code }) => code);
  expect(codesOf("claude-sonnet-4-20250514", { ...RUN, maxUses: 2 })).toContain("HOSTED_OPTION_UNSUPPORTED");
  const read: HostedTool = { hosted: "url_fetch", name: "url_fetch", allowedDomains: ["a.example"] };
  expect(codesOf("gemini-3.5-flash", read)).toContain("HOSTED_OPTION_UNSUPPORTED");
});
