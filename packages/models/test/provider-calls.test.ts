import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { runSdkTurn } from "../src/ai-sdk-turn.ts";
import type { ModelTurnRequest } from "../src/port.ts";
import { createPrices } from "../src/prices/prices.ts";

const STOP: LanguageModelV4FinishReason = { unified: "stop", raw: "stop" };
const USAGE = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
const END: LanguageModelV4StreamPart = { type: "finish", finishReason: STOP, usage: USAGE };
const FILE = {
  type: "file",
  mediaType: "image/png",
  data: { type: "url", url: new URL("https://example.com/a.png") },
} as const;

interface Reply {
  readonly content?: readonly LanguageModelV4Content[];
  readonly parts?: readonly LanguageModelV4StreamPart[];
  readonly onCancel?: () => void;
}

/** Runs a turn of a model whose provider sends this reply: complete, or streamed if it has parts. */
function turnOf({ content = [], parts, onCancel = () => {} }: Reply) {
  const waiting = [...(parts ?? [])];
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test.chat",
    modelId: "test-1",
    supportedUrls: {},
    doGenerate: async () => ({ content: [...content], finishReason: STOP, usage: USAGE, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        pull(controller) {
          const part = waiting.shift();
          if (part === undefined) controller.close();
          else controller.enqueue(part);
        },
        cancel: onCancel,
      }),
    }),
  };
  const request: ModelTurnRequest = {
    workspaceId: "ws_test",
    model: "test/test-1",
    systemPrompt: "",
    messages: [{ role: "user", text: "Hello" }],
    tools: [{ name: "lookup", description: "Looks up.", parameters: { type: "object", properties: {} } }],
    toolChoice: "auto",
    turn: 1,
    signal: new AbortController().signal,
    newToolCallId: () => "tc_1",
    ...(parts === undefined ? {} : { onTextDelta: () => {} }),
  };
  return runSdkTurn(
    { model, providerOptions: {}, source: { provider: "test", now: () => 0 } },
    request,
    createPrices([]),
  );
}

describe("an error inside a stream", () => {
  it.each([
    ["known words", { message: "Overloaded" }, { isRetryable: true }],
    ["a status in a text", { error: { message: "slow down", code: "429" } }, { isRetryable: true }],
    ["its own statement", { error: { message: "later", isRetryable: true } }, { isRetryable: true }],
    ["no statement", { error: { message: "never" } }, { isRetryable: false }],
    ["an error of a response", { response: { error: { message: "empty" } } }, { message: /interrupted .*: empty$/ }],
    [
      "the provider's data",
      { message: "stopped", data: { error: { code: "insufficient_quota", message: "stopped" } } },
      { message: /no credit left/, isRetryable: false },
    ],
    ["nothing readable", { reason: 1 }, { message: /invalid response/ }],
  ])(
    "is read by %s",
    async (_name, error, { message = /./, ...expected }: { message?: RegExp; isRetryable?: boolean }) => {
      const failure = turnOf({ parts: [{ type: "error", error }, END] });
      await expect(failure).rejects.toMatchObject({ code: "MODEL_ERROR", ...expected });
      await expect(failure).rejects.toThrow(message);
    },
  );

  it("ends the stream, and its usage still counts", async () => {
    let isCancelled = false;
    const onCancel = () => {
      isCancelled = true;
    };
    const parts: LanguageModelV4StreamPart[] = [
      { type: "text-start", id: "0" },
      { type: "error", error: { message: "broken" } },
      END,
      { type: "text-end", id: "0" },
    ];
    await expect(turnOf({ parts, onCancel })).rejects.toMatchObject({
      spending: { usage: { inputTokens: 3, outputTokens: 2 } },
    });
    expect(isCancelled).toBe(true);
  });
});

it.each<[string, Reply]>([
  ["a complete response", { content: [FILE] }],
  ["a stream", { parts: [FILE, END] }],
])("a file that is given by its URL fails the turn: %s", async (_name, reply) => {
  await expect(turnOf(reply)).rejects.toThrow("the model replied with a file to download, which is not supported");
});

it("texts that use an id again stay apart", async () => {
  const text = (delta: string): LanguageModelV4StreamPart[] => [
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta },
    { type: "text-end", id: "0" },
  ];
  const { parts } = await turnOf({ parts: [...text("one"), ...text("two"), END] });
  expect(parts).toEqual([
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ]);
});

it.each(['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{}}}', "{"])(
  "the arguments %s are malformed and kept as text",
  async (input) => {
    const call = { type: "tool-call", toolCallId: "call_1", toolName: "lookup", input } as const;
    const { toolCalls } = await turnOf({ content: [call] });
    expect(toolCalls).toMatchObject([{ parameters: input, malformed: expect.stringContaining("not valid JSON") }]);
  },
);
