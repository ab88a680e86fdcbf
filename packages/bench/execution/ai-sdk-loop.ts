import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import { Pool } from "undici";

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const call = { toolCallId: "call_1", toolName: "lookup_order", input: '{"orderId":"ORD-12345"}' };
const FINAL_TEXT = "It is shipped.";
const STOP = { unified: "stop", raw: "stop" } as const;
const TOOL_CALLS = { unified: "tool-calls", raw: "tool_calls" } as const;

/** The AI SDK's loop in memory, as it is usually written, or tuned: undici's pool for fetch, and no telemetry. */
export function createLoop(webhookUrl: string, { isTuned }: { readonly isTuned: boolean }) {
  const { origin, pathname } = new URL(webhookUrl);
  const pool = new Pool(origin, { connections: 256 });

  async function post(body: string): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    if (!isTuned) return (await fetch(webhookUrl, { method: "POST", headers, body })).json();
    return (await pool.request({ path: pathname, method: "POST", headers, body })).body.json();
  }

  const lookupOrder = tool({
    description: "Look up an order by its number.",
    inputSchema: jsonSchema<{ orderId: string }>({
      type: "object",
      properties: { orderId: { type: "string" } },
      required: ["orderId"],
    }),
    execute: (input, { toolCallId }) => post(JSON.stringify({ toolCallId, name: "lookup_order", parameters: input })),
  });

  /** Two model turns, one call: nothing is signed, recorded or repeated. */
  function settings() {
    let turn = 0;
    const model = new MockLanguageModelV4({
      async doGenerate() {
        turn += 1;
        return turn > 1
          ? { content: [{ type: "text", text: FINAL_TEXT }], finishReason: STOP, usage, warnings: [] }
          : { content: [{ type: "tool-call", ...call }], finishReason: TOOL_CALLS, usage, warnings: [] };
      },
      async doStream() {
        turn += 1;
        return {
          stream: convertArrayToReadableStream([
            { type: "stream-start", warnings: [] },
            ...(turn > 1
              ? ([
                  { type: "text-start", id: "1" },
                  { type: "text-delta", id: "1", delta: FINAL_TEXT },
                  { type: "text-end", id: "1" },
                  { type: "finish", finishReason: STOP, usage },
                ] as const)
              : ([
                  { type: "tool-call", ...call },
                  { type: "finish", finishReason: TOOL_CALLS, usage },
                ] as const)),
          ]),
        };
      },
    });
    return {
      model,
      instructions: "You answer questions about orders.",
      prompt: "Where is order ORD-12345?",
      tools: { lookup_order: lookupOrder },
      stopWhen: isStepCount(5),
      maxRetries: 0,
      ...(isTuned ? { telemetry: { isEnabled: false } } : {}),
    };
  }

  return {
    async execute(): Promise<string> {
      const { text } = await generateText(settings());
      if (text !== FINAL_TEXT) throw new Error(`unexpected answer: ${text}`);
      return text;
    },
    /** The text of the answer, as it arrives. */
    stream: (): AsyncIterable<string> => streamText(settings()).textStream,
  };
}
