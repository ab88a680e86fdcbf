import { createModels } from "@yagate/models/create-models";
import type { ModelMessage, ModelTurnRequest } from "@yagate/models/port";
import { measure } from "./measure.ts";

const models = createModels({
  providers: {},
  fetch: () => Promise.reject(new Error("expected a scripted model to send no request")),
});

const question: ModelMessage = { role: "user", text: "Where is order ORD-12345?" };
const base = {
  workspaceId: "ws_of_the_benchmark",
  model: "scripted/turns",
  systemPrompt: "You answer questions about orders.",
  tools: [
    {
      name: "lookup_order",
      description: "Look up an order by its number.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
    },
  ],
  toolChoice: "auto",
  script: {
    turns: [
      { toolCalls: [{ name: "lookup_order", parameters: { orderId: "ORD-12345" } }] },
      { text: "It is shipped." },
    ],
  },
  newToolCallId: () => "tc_1",
} satisfies Omit<ModelTurnRequest, "messages" | "turn" | "signal">;

/** What an execution's two model turns alone cost. */
async function execute(): Promise<void> {
  const { signal } = new AbortController();
  const first = await models.runTurn({ ...base, messages: [question], turn: 1, signal });
  const [call] = first.toolCalls;
  if (call === undefined) throw new Error("expected a call");
  const { toolCallId, providerCallId, name } = call;
  const results = [{ toolCallId, providerCallId, name, isError: false, text: '{"status":"shipped"}' }];
  const messages: ModelMessage[] = [question, { role: "assistant", parts: first.parts }, { role: "tool", results }];
  const second = await models.runTurn({ ...base, messages, turn: 2, signal });
  if (second.text !== "It is shipped.") throw new Error(`unexpected answer: ${second.text}`);
}

process.send?.(await measure(execute));
process.disconnect();
