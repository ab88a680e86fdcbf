import { afterEach, describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { turnRequest } from "./support/turn-request.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";
import { ALL_WIRES } from "./support/wires/all-wires.ts";
import { alibaba, zai } from "./support/wires/chat-completions.ts";
import { gemini } from "./support/wires/gemini.ts";
import type { WireFormat } from "./support/wires/wire-format.ts";
import { xai } from "./support/wires/xai.ts";

const NOW = Date.parse("2026-11-21T06:00:00.000Z");
const servers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const FORMS = [
  ["whole", {}],
  ["streamed", { onTextDelta: () => {} }],
] as const;

/** What a turn fails with when the provider answers like this. */
async function failureOf(wire: WireFormat, answer: WireAnswer, listener: object): Promise<Error> {
  const server = await startWireServer([answer]);
  servers.push(server);
  const { fetch } = recordingFetch({ from: "https://api.openai.com", to: server.url });
  const models = createModels({ providers: wire.settings(server.url), fetch, now: () => NOW });
  const failure: unknown = await models.runTurn(turnRequest({ model: wire.model, ...listener })).then(
    () => new Error("no failure"),
    (error: unknown) => error,
  );
  if (!(failure instanceof Error)) throw new Error("expected an error");
  return failure;
}

const keyOf = (wire: WireFormat) => Object.values(wire.settings("http://127.0.0.1:1"))[0]?.apiKey ?? "no key at all";

describe.each(ALL_WIRES)("$name", (wire) => {
  describe.each(FORMS)("%s", (_form, listener) => {
    const refused = (status: number, message: string, headers: Record<string, string> = {}, code?: string) =>
      failureOf(
        wire,
        { status, headers, body: wire.refusal({ status, message, ...(code === undefined ? {} : { code }) }) },
        listener,
      );

    it.each<[string, Record<string, string>, number | undefined]>([
      ["in seconds", { "retry-after": "7" }, 7_000],
      ["as a date", { "retry-after": "Sat, 21 Nov 2026 06:00:30 GMT" }, 30_000],
      ["in ms", { "retry-after-ms": "250" }, 250],
      ["not at all", {}, undefined],
    ])("is busy, and says how long: %s", async (_how, headers, retryAfterMs) => {
      expect(await refused(429, "slow down", headers)).toMatchObject({
        name: "ModelTurnError",
        code: "MODEL_ERROR",
        isRetryable: true,
        retryAfterMs,
        message: expect.stringMatching(/ responded with HTTP 429: .*slow down$/),
      });
    });

    it.each([408, 409, 425, 500, 502, 503, 529])("fails with %i, which may pass", async (status) => {
      expect(await refused(status, "it broke")).toMatchObject({ code: "MODEL_ERROR", isRetryable: true });
    });

    it("refuses the key: the message names the variable, and nothing of the answer", async () => {
      const failure = await refused(401, `Incorrect API key provided: ${keyOf(wire)}`);
      expect(failure).toMatchObject({
        code: "MODEL_ERROR",
        isRetryable: false,
        message: expect.stringMatching(new RegExp(`rejected the API key \\(HTTP 401\\); check ${wire.keyVariable}$`)),
      });
      expect(failure.message).not.toContain(keyOf(wire));
    });

    it.each([
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
      "prompt is too long: 210000 tokens > 200000 maximum",
      "Range of input length should be [1, 98304]",
    ])("takes no more: %s", async (message) => {
      expect(await refused(400, message)).toMatchObject({
        code: "MODEL_ERROR",
        isRetryable: false,
        message: expect.stringMatching(/^the conversation is too long for the model: \w+ responded with HTTP 400: /),
      });
    });

    it("cuts its key out of what it says", async () => {
      const failure = await refused(400, `bad request by ${keyOf(wire)}`);
      expect(failure.message).toMatch(/HTTP 400: .*bad request by /);
      if (keyOf(wire) !== "no key at all") expect(failure.message).not.toContain(keyOf(wire));
    });

    it("has no credit left", async () => {
      expect(await refused(402, "top up")).toMatchObject({
        isRetryable: false,
        message: expect.stringMatching(/^the account at \w+ has no credit left: /),
      });
    });

    it("says 200 and an error", async () => {
      const failure = await failureOf(wire, { body: wire.refusal({ status: 503, message: "busy" }) }, listener);
      expect(failure).toMatchObject({ name: "ModelTurnError", code: "MODEL_ERROR" });
    });
  });

  it("breaks off its stream with an error that may pass", async () => {
    const events = wire.stream({ text: "It was shipped", end: "complete" }).slice(0, -wire.endingEvents);
    const body = [...events, JSON.stringify(wire.streamedFault({ status: 503, message: "the engine is overloaded" }))];
    expect(await failureOf(wire, { body }, { onTextDelta: () => {} })).toMatchObject({
      name: "ModelTurnError",
      code: "MODEL_ERROR",
      isRetryable: true,
      message: expect.stringContaining("the engine is overloaded"),
    });
  });
});

describe("what only one provider says", () => {
  it("of Gemini, how long to wait, in the body", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }];
    const body = { error: { code: 429, message: "Quota exceeded.", status: "RESOURCE_EXHAUSTED", details } };
    expect(await failureOf(gemini, { status: 429, body }, {})).toMatchObject({
      isRetryable: true,
      retryAfterMs: 34_500,
    });
  });

  it.each([
    ["Z.AI's empty balance", zai, 429, "1113", /^the account at zai has no credit left/],
    ["Z.AI's refusal of contents", zai, 400, "1301", /^zai rejected the content of the conversation/],
    ["Alibaba Cloud's arrears", alibaba, 400, "Arrearage", /^the account at alibaba has no credit left/],
    [
      "Alibaba Cloud's inspection",
      alibaba,
      400,
      "data_inspection_failed",
      /^alibaba rejected the content of the conversation/,
    ],
  ] as const)("%s", async (_what, wire, status, code, message) => {
    const failure = await failureOf(wire, { status, body: wire.refusal({ status, message: "no", code }) }, {});
    expect(failure).toMatchObject({ isRetryable: false, message: expect.stringMatching(message) });
  });

  it("of xAI, a turn that failed in the middle", async () => {
    const body = [
      ...xai.stream({ text: "It was", end: "complete" }).slice(0, -1),
      JSON.stringify({
        type: "response.failed",
        response: { error: { code: "rate_limit_exceeded", message: "Too many tokens a minute." } },
      }),
    ];
    expect(await failureOf(xai, { body }, { onTextDelta: () => {} })).toMatchObject({
      isRetryable: true,
      message: "xai interrupted its response: Too many tokens a minute.",
    });
  });

  it("of xAI, a turn that failed whole, with what it counted", async () => {
    const body = {
      ...{ id: "r", object: "response", created_at: 1, model: "grok-4", status: "failed", output: [] },
      error: { code: "server_error", message: "Out of order." },
      usage: { input_tokens: 11, output_tokens: 7 },
    };
    expect(await failureOf(xai, { body }, {})).toMatchObject({
      isRetryable: true,
      message: "xai reported an error in its response: Out of order.",
      spending: { usage: { inputTokens: 11, outputTokens: 7 } },
    });
  });

  it("of a router, the status of the server behind it", async () => {
    const body = { error: { code: 502, message: "Provider returned error" } };
    const wire = ALL_WIRES.find(({ name }) => name === "Ollama") ?? zai;
    expect(await failureOf(wire, { body }, {})).toMatchObject({
      isRetryable: true,
      message: "ollama reported an error in its response: Provider returned error",
    });
  });
});
