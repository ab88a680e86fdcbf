import type { JsonValue } from "@yagate/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { HostedTool, ModelTurn, ModelTurnRequest } from "../src/port.ts";
import { anthropic } from "./support/hosted-bodies.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { QUESTION, turnRequest } from "./support/turn-request.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";

const servers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const URL_READ = "https://news.example/yagate";
const TEXT = "It came out in May.";
const MESSAGE = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-20250514" };
const USE = { type: "server_tool_use", id: "srvtoolu_1", name: "web_fetch" };
const INPUT = { url: URL_READ };
const DOCUMENT = { type: "document", title: "News", source: { type: "text", media_type: "text/plain", data: TEXT } };
const FETCHED = {
  ...{ type: "web_fetch_tool_result", tool_use_id: "srvtoolu_1" },
  content: { type: "web_fetch_result", url: URL_READ, retrieved_at: "2026-11-21T00:00:00Z", content: DOCUMENT },
};
const FAILED = { ...FETCHED, content: { type: "web_fetch_tool_result_error", error_code: "url_not_accessible" } };
const USAGE = { input_tokens: 1_000, output_tokens: 100 };

const wholeWith = (result: object) => ({
  ...MESSAGE,
  content: [{ ...USE, input: INPUT }, result, { type: "text", text: TEXT }],
  ...{ stop_reason: "end_turn", usage: USAGE },
});

const streamWith = (result: object) =>
  [
    { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } },
    { type: "content_block_start", index: 0, content_block: { ...USE, input: {} } },
    {
      ...{ type: "content_block_delta", index: 0 },
      delta: { type: "input_json_delta", partial_json: JSON.stringify(INPUT) },
    },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: result },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: TEXT } },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: USAGE },
    { type: "message_stop" },
  ].map((event) => JSON.stringify(event));

const FORMS = ["whole", "streamed"] as const;
type Form = (typeof FORMS)[number];
const answerOf = (form: Form, result: object): WireAnswer => ({
  body: form === "whole" ? wholeWith(result) : streamWith(result),
});
const listenerOf = (form: Form): Pick<ModelTurnRequest, "onTextDelta"> =>
  form === "whole" ? {} : { onTextDelta: () => {} };

const FETCH: HostedTool = { hosted: "url_fetch", name: "url_fetch", maxUses: 2, allowedDomains: ["news.example"] };

async function connect(answers: readonly WireAnswer[]) {
  const server = await startWireServer(answers);
  servers.push(server);
  const { fetch, requests } = recordingFetch({ from: anthropic.origin, to: server.url });
  const providers = anthropic.settings(server.url);
  return { models: createModels({ providers, fetch, now: () => Date.parse("2026-11-21") }), requests };
}

const textOf = (body: JsonValue | undefined) => JSON.stringify(body);

describe("Anthropic, asked to read pages itself", () => {
  it.each(FORMS)("gets the tool in its own form, and what it read is recorded once, %s", async (form) => {
    const { models, requests } = await connect([answerOf(form, FETCHED)]);
    const turn = await models.runTurn(
      turnRequest({ model: anthropic.model, hostedTools: [FETCH], ...listenerOf(form) }),
    );
    expect(requests[0]?.body).toMatchObject({
      tools: expect.arrayContaining([
        expect.objectContaining({
          ...{ type: "web_fetch_20250910", name: "web_fetch", max_uses: 2, allowed_domains: ["news.example"] },
        }),
      ]),
    });
    expect(turn).toMatchObject({
      ...{ text: TEXT, finishReason: "stop", toolCalls: [] },
      hostedCalls: [{ id: "srvtoolu_1", name: "url_fetch", input: INPUT, status: "completed" }],
    });
    expect(textOf(JSON.parse(JSON.stringify(turn.hostedCalls)))).toContain(URL_READ);
  });

  it.each(FORMS)("gets back in the next turn what it gave, %s", async (form) => {
    const { models, requests } = await connect([answerOf(form, FETCHED), answerOf("whole", FETCHED)]);
    const request = turnRequest({ model: anthropic.model, hostedTools: [FETCH], ...listenerOf(form) });
    // As the event log keeps it.
    const kept: ModelTurn = JSON.parse(JSON.stringify(await models.runTurn(request)));
    const messages = [QUESTION, { role: "assistant", parts: kept.parts }, QUESTION] as const;
    await models.runTurn(turnRequest({ model: anthropic.model, hostedTools: [FETCH], turn: 2, messages }));
    const sent = textOf(requests[1]?.body);
    expect(sent).toContain('"type":"web_fetch_tool_result"');
    expect(sent).toContain(`"url":"${URL_READ}"`);
    expect(sent).toContain(`"data":"${TEXT}"`);
  });

  it.each(FORMS)("has its failures recorded as failures, %s", async (form) => {
    const { models } = await connect([answerOf(form, FAILED)]);
    const request = turnRequest({ model: anthropic.model, hostedTools: [FETCH], ...listenerOf(form) });
    expect(await models.runTurn(request)).toMatchObject({
      hostedCalls: [{ id: "srvtoolu_1", name: "url_fetch", status: "failed" }],
    });
  });
});

it.each([
  ["claude-sonnet-4-20250514", []],
  ["claude-3-haiku-20240307", ["HOSTED_TOOL_UNSUPPORTED"]],
  ["openai/gpt-5", ["HOSTED_TOOL_UNSUPPORTED"]],
  ["gemini-3.5-flash", []],
  ["gemini-2.0-flash", ["HOSTED_TOOL_UNSUPPORTED"]],
])("whether %s reads pages itself is known before", (model, codes) => {
  const models = createModels({ providers: {}, fetch: globalThis.fetch, now: () => Date.parse("2026-11-21") });
  const issues = models.check(model, [{ hosted: "url_fetch", name: "url_fetch" }]);
  expect(issues.map(({ code }) => code).filter((code) => code !== "NOT_CONFIGURED")).toEqual(codes);
});
