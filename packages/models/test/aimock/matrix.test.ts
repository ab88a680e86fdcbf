import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createModels } from "../../src/create-models.ts";
import type { Models, ModelTurn, ModelTurnRequest } from "../../src/port.ts";
import { recordingFetch } from "../support/recording-fetch.ts";
import { answered, QUESTION, turnRequest } from "../support/turn-request.ts";
import { FORMATS, type Format, OPENAI_ORIGIN } from "./formats.ts";

const mock = new LLMock({ port: 0, chunkSize: 8 });
beforeAll(() => mock.start());
afterAll(() => mock.stop());

const LOOKUP = { id: "call_aaaa", name: "orders_lookup", arguments: '{"orderId":"ORD-1"}' };
const QUOTE = { id: "call_bbbb", name: "shipping_quote", arguments: '{"city":"Köln","speed":"express"}' };
const ASKED = { userMessage: "Where is" };
const LONG = 'Grüße aus 東京 — 👩‍👩‍👧‍👦 "quoted" \\ and\n- a list\n'.repeat(40);

interface Cell {
  readonly format: Format;
  readonly models: Models;
  readonly run: (changes?: Partial<ModelTurnRequest>) => Promise<ModelTurn>;
  /** What was streamed so far. */
  readonly streamed: () => string;
  readonly isStreamed: boolean;
}

/** Nine things that a model may do; each is tried in every format, whole and streamed: 9 × 10 × 2 cells. */
const SCENARIOS: readonly (readonly [what: string, check: (cell: Cell) => Promise<void>])[] = [
  [
    "answers",
    async ({ run, streamed, isStreamed }) => {
      mock.on(ASKED, { content: "It was shipped yesterday." });
      expect(await run()).toMatchObject({ text: "It was shipped yesterday.", finishReason: "stop", toolCalls: [] });
      expect(streamed()).toBe(isStreamed ? "It was shipped yesterday." : "");
    },
  ],
  [
    "answers at length, in many scripts",
    async ({ run, streamed, isStreamed }) => {
      mock.on(ASKED, { content: LONG });
      expect((await run()).text).toBe(LONG);
      expect(streamed()).toBe(isStreamed ? LONG : "");
    },
  ],
  [
    "calls a tool, reads its result and answers",
    async ({ run }) => {
      mock.on({ ...ASKED, hasToolResult: false }, { toolCalls: [LOOKUP] });
      mock.on({ ...ASKED, hasToolResult: true }, { content: "It was shipped, it says here." });
      const first = await run();
      expect(first).toMatchObject({ text: "", finishReason: "tool_calls" });
      expect(first.toolCalls).toMatchObject([{ name: "orders.lookup", parameters: { orderId: "ORD-1" } }]);
      const stored: ModelTurn = JSON.parse(JSON.stringify(first));
      const results = answered(stored, [{ isError: false, text: '{"status":"shipped"}' }]);
      const second = await run({ turn: 2, messages: [QUESTION, ...results] });
      expect(second).toMatchObject({ text: "It was shipped, it says here.", finishReason: "stop", toolCalls: [] });
    },
  ],
  [
    "calls two tools at once",
    async ({ run }) => {
      mock.on(ASKED, { toolCalls: [LOOKUP, QUOTE] });
      const { toolCalls, finishReason } = await run();
      expect(finishReason).toBe("tool_calls");
      expect(toolCalls).toMatchObject([
        { toolCallId: "tc_1", name: "orders.lookup", parameters: { orderId: "ORD-1" } },
        { toolCallId: "tc_2", name: "shipping_quote", parameters: { city: "Köln", speed: "express" } },
      ]);
      expect(new Set(toolCalls.map(({ providerCallId }) => providerCallId)).size).toBe(2);
    },
  ],
  [
    "says something and calls a tool",
    async ({ run }) => {
      mock.on(ASKED, { content: "Let me look.", toolCalls: [LOOKUP] });
      const turn = await run();
      expect(turn).toMatchObject({ text: "Let me look.", finishReason: "tool_calls" });
      expect(turn.toolCalls).toMatchObject([{ name: "orders.lookup", parameters: { orderId: "ORD-1" } }]);
    },
  ],
  [
    "thinks before it answers",
    async ({ run, streamed, isStreamed }) => {
      mock.on(ASKED, { reasoning: "One look will do.", reasoningSignature: "sig", content: "It was shipped." });
      const { parts, text } = await run();
      const thoughts = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
      expect({ text, thoughts: thoughts.join("") }).toEqual({ text: "It was shipped.", thoughts: "One look will do." });
      expect(streamed()).toBe(isStreamed ? "It was shipped." : "");
    },
  ],
  [
    "is cut off at its length limit",
    async ({ run }) => {
      mock.on(ASKED, { content: "It was ship", finishReason: "length" });
      expect(await run()).toMatchObject({ text: "It was ship", finishReason: "length", toolCalls: [] });
    },
  ],
  [
    "counts its tokens",
    async ({ run, format, isStreamed }) => {
      mock.on(ASKED, { content: "It was shipped.", usage: format.usage(11, 7) });
      const { usage, cost } = await run();
      if (!(isStreamed && format.isUncountedInStreams)) expect(usage).toEqual({ inputTokens: 11, outputTokens: 7 });
      else
        expect({ usage, cost }).toEqual({
          usage: { inputTokens: 0, outputTokens: 0 },
          cost: { usd: 0, isPartial: true },
        });
    },
  ],
  [
    "is busy at first",
    async ({ run }) => {
      mock.on({ ...ASKED, sequenceIndex: 0 }, { error: { message: "slow down" }, status: 429, retryAfter: 7 });
      mock.on({ ...ASKED, sequenceIndex: 1 }, { content: "It was shipped." });
      await expect(run()).rejects.toMatchObject({ code: "MODEL_ERROR", isRetryable: true, retryAfterMs: 7_000 });
      expect((await run()).text).toBe("It was shipped.");
    },
  ],
];

const CELLS = FORMATS.flatMap((format) =>
  SCENARIOS.flatMap(([what, check]) =>
    [false, true].map((isStreamed) => ({ format, what, check, isStreamed, form: isStreamed ? "streamed" : "whole" })),
  ),
);

describe("aimock in ten formats, nine scenarios, whole and streamed: 180 cells", () => {
  it("are all there", () => expect(CELLS).toHaveLength(180));

  it.each(CELLS.map((cell) => [cell.format.name, cell.what, cell.form, cell] as const))(
    "%s %s, %s",
    async (_name, _what, _form, { format, check, isStreamed }) => {
      mock.reset();
      const { fetch } = recordingFetch({ from: OPENAI_ORIGIN, to: mock.url });
      const models = createModels({ providers: format.settings(mock.url), fetch });
      const deltas: string[] = [];
      const listener = isStreamed ? { onTextDelta: (text: string) => void deltas.push(text) } : {};
      await check({
        format,
        models,
        run: (changes) => models.runTurn(turnRequest({ model: format.model, ...listener, ...changes })),
        streamed: () => deltas.join(""),
        isStreamed,
      });
    },
  );
});
