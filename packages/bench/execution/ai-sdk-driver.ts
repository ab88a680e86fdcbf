import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { measure } from "./measure.ts";

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error("expected the webhook's URL");

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

const lookupOrder = tool({
  description: "Look up an order by its number.",
  inputSchema: jsonSchema<{ orderId: string }>({
    type: "object",
    properties: { orderId: { type: "string" } },
    required: ["orderId"],
  }),
  async execute(input, { toolCallId }) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ toolCallId, name: "lookup_order", parameters: input }),
    });
    return response.json();
  },
});

/** The loop that people write today: nothing is signed, recorded or repeated. */
async function execute(): Promise<void> {
  let turn = 0;
  const model = new MockLanguageModelV4({
    async doGenerate() {
      turn += 1;
      if (turn > 1) {
        return {
          content: [{ type: "text", text: "It is shipped." }],
          finishReason: { unified: "stop", raw: "stop" },
          usage,
          warnings: [],
        };
      }
      return {
        content: [
          { type: "tool-call", toolCallId: "call_1", toolName: "lookup_order", input: '{"orderId":"ORD-12345"}' },
        ],
        finishReason: { unified: "tool-calls", raw: "tool_calls" },
        usage,
        warnings: [],
      };
    },
  });
  const { text } = await generateText({
    model,
    instructions: "You answer questions about orders.",
    prompt: "Where is order ORD-12345?",
    tools: { lookup_order: lookupOrder },
    stopWhen: isStepCount(5),
    maxRetries: 0,
  });
  if (text !== "It is shipped.") throw new Error(`unexpected answer: ${text}`);
}

process.send?.(await measure(execute));
process.disconnect();
