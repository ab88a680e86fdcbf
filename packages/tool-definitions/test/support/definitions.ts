import {
  type Agent,
  type ComposedToolDefinition,
  DEFAULT_LIMITS,
  type JsonObject,
  type ToolDefinition,
} from "@yagate/protocol";

export const HANDLER = "https://orders.example/tools/lookup_order";

/** A handler tool; each test changes what it is about. */
export const lookupOrder = {
  name: "lookup_order",
  description: "Looks up an order.",
  parameters: {
    type: "object",
    properties: { orderId: { type: "string", pattern: "^ORD-[0-9]+$" } },
    required: ["orderId"],
    additionalProperties: false,
  },
  handler: HANDLER,
} satisfies ToolDefinition;

export function agentWith(tools: readonly ToolDefinition[], rest: Partial<Agent> = {}): Agent {
  return {
    id: "agt_01",
    version: 1,
    name: "support",
    model: "scripted/keyword",
    systemPrompt: "",
    tools: [...tools],
    limits: DEFAULT_LIMITS,
    integrations: [],
    credentials: [],
    webhookUrls: [],
    policy: { network: false, approval: "destructive" },
    createdAt: "2026-11-21T06:00:00.000Z",
    updatedAt: "2026-11-21T06:00:00.000Z",
    ...rest,
  };
}

/** Schema of parameters that take anything, all of them required unless they end in `?`. */
export function takes(...names: readonly string[]): JsonObject {
  const plain = names.map((name) => name.replace("?", ""));
  return {
    type: "object",
    properties: Object.fromEntries(plain.map((name) => [name, {}])),
    required: names.filter((name) => !name.endsWith("?")),
    additionalProperties: false,
  };
}

/** Schema of required parameters with schemas of their own. */
export function typed(properties: JsonObject, $defs: JsonObject = {}): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), $defs };
}

export function composed(
  name: string,
  primitive: string,
  args: JsonObject,
  parameters: JsonObject = takes(),
): ComposedToolDefinition {
  return { name, description: "does something", parameters, implementation: { primitive, args } };
}
