import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** Without a function: the call comes back, and is a step of its own. */
const lookupOrder = tool({
  description: "Look up an order by its number.",
  inputSchema: jsonSchema({
    type: "object",
    properties: { orderId: { type: "string" } },
    required: ["orderId"],
  }),
});

function modelOf(content, reason) {
  return new MockLanguageModelV4({
    doGenerate: async () => ({ content, finishReason: { unified: reason, raw: reason }, usage, warnings: [] }),
  });
}

function ask(model, messages) {
  return generateText({
    model,
    instructions: "You answer questions about orders.",
    messages,
    tools: { lookup_order: lookupOrder },
    stopWhen: isStepCount(1),
    maxRetries: 0,
  });
}

/** The question that an execution begins with. */
export const QUESTION = [{ role: "user", content: "Where is order ORD-12345?" }];

/** The first model turn of an execution. @returns the call that it asks for, as JSON holds it. */
export async function firstTurn(messages) {
  const content = [
    { type: "tool-call", toolCallId: "call_1", toolName: "lookup_order", input: '{"orderId":"ORD-12345"}' },
  ];
  const { toolCalls } = await ask(modelOf(content, "tool-calls"), messages);
  const [{ toolCallId, toolName, input }] = toolCalls;
  return { toolCallId, toolName, input };
}

/** The second one, which has read what the call brought. @returns its text. */
export async function secondTurn(messages, call, result) {
  const output = { type: "json", value: result };
  const { toolCallId, toolName } = call;
  const { text } = await ask(modelOf([{ type: "text", text: "It is shipped." }], "stop"), [
    ...messages,
    { role: "assistant", content: [{ type: "tool-call", ...call }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] },
  ]);
  if (text !== "It is shipped.") throw new Error(`unexpected answer: ${text}`);
  return text;
}
