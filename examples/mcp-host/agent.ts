import type { AgentDefinition } from "@yagate/client";

/** An agent that MCP hosts may use. Their models choose it by its description. */
export function describeAgent(): Omit<AgentDefinition, "model"> {
  return {
    name: "Price desk",
    description: "Calculates prices. State the complete calculation.",
    exposed: true,
    systemPrompt: "You calculate prices.",
    tools: [{ builtin: "calculator" }],
  };
}
