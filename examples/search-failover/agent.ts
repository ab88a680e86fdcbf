import type { AgentDefinition, CreateCapability, CreateToolSource } from "@yagate/client";

/** The name says what the agent needs. The gateway decides what serves it. */
export const searchDesk: Omit<AgentDefinition, "model"> = {
  name: "Search desk",
  systemPrompt: "You answer from what web_search finds, and quote it.",
  tools: [
    { intent: "web.search", required: true, config: { providers: ["local"], maxResults: 3 } },
    { builtin: "datetime" },
  ],
  // Neither the provider's own search nor an MCP server may handle confidential data unless an entry says so.
  routing: { dataClass: "public" },
  policy: { network: true },
};

/** The MCP server of a search service. */
export function describeSource(url: string): CreateToolSource {
  return { name: "search", kind: "mcp", url };
}

/**
 * The search of the MCP server, as a capability. The search of the model's provider scores 55 (priority 60, 5 for
 * citations, less 10 for its cost), so this one comes second.
 */
export const mcpSearch: CreateCapability = {
  key: "mcp.search",
  intent: "web.search",
  mode: "mcp_remote",
  target: { source: "search", tool: "find_pages" },
  args: { words: "${query}" },
  priority: 45,
  costClass: "low",
  supportsCitations: true,
};

/** The priority of the search in the local folder, which comes last. */
export const LOCAL_PRIORITY = 10;
