import type { ModelMessage, ModelTool, ModelTurn, ModelTurnRequest, ToolResultForModel } from "../../src/port.ts";

export const LOOKUP_ORDER: ModelTool = {
  name: "orders.lookup",
  description: "Look up an order.",
  parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
};

export const SHIPPING_QUOTE: ModelTool = {
  name: "shipping_quote",
  description: "Price of shipping to a city.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, speed: { type: "string", enum: ["standard", "express"] } },
    required: ["city", "speed"],
  },
};

export const QUESTION: ModelMessage = { role: "user", text: "Where is order ORD-1?" };

/** A request with everything that a test does not care about. */
export function turnRequest(changes: Partial<ModelTurnRequest> & { readonly model: string }): ModelTurnRequest {
  let calls = 0;
  return {
    workspaceId: "ws_of_the_test",
    systemPrompt: "Be brief.",
    messages: [QUESTION],
    tools: [LOOKUP_ORDER, SHIPPING_QUOTE],
    toolChoice: "auto",
    turn: 1,
    signal: new AbortController().signal,
    newToolCallId: () => `tc_${++calls}`,
    ...changes,
  };
}

/** The conversation after a turn whose calls were answered. */
export function answered(
  turn: ModelTurn,
  answers: readonly Pick<ToolResultForModel, "isError" | "text">[],
): readonly ModelMessage[] {
  const results = turn.toolCalls.map(({ toolCallId, providerCallId, name }, index) => ({
    toolCallId,
    providerCallId,
    name,
    ...(answers[index] ?? { isError: false, text: "null" }),
  }));
  return [
    { role: "assistant", parts: turn.parts },
    { role: "tool", results },
  ];
}
