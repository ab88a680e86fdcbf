import type { AgentDefinition, CreateToolSource } from "@yagate/client";

/** The secret with the key of the ticket system. */
export const TICKETS_KEY = "TICKETS_API_KEY";

/** The MCP server as a tool source. */
export function describeSource(url: string): CreateToolSource {
  return {
    name: "tickets",
    kind: "mcp",
    url,
    auth: { credential: TICKETS_KEY },
    overrides: { close_ticket: { approval: "always" } },
  };
}

/** An agent with all accepted tools of the source. */
export function describeAgent(): Omit<AgentDefinition, "model"> {
  return {
    name: "Help desk",
    systemPrompt: "You look up tickets, and close those that are done.",
    tools: [{ source: "tickets" }],
    policy: { network: true },
  };
}
