/** The groups of operations, in the order in which the document lists them. */
export const API_TAGS = [
  { name: "agents", description: "Agents and their versions. Every change creates a new, immutable version." },
  { name: "executions", description: "Start, follow, read and cancel executions of agents, and get their receipts." },
  { name: "tool calls", description: "The calls that models requested, with their attempts and results." },
  { name: "approvals", description: "Tool calls that need an approver's decision." },
  { name: "input requests", description: "Questions that tools of MCP servers ask a person in the middle of a call." },
  { name: "callbacks", description: "Outcomes of asynchronous tool calls, delivered by handlers." },
  { name: "tools", description: "Workspace tools, toolkits, templates and tool sources." },
  { name: "routing", description: "Intents, and the capabilities that can serve them." },
  { name: "integrations", description: "Named lists of domains that agents may reach." },
  { name: "endpoints", description: "Handler URLs and their current state." },
  {
    name: "secrets",
    description: "Credentials for tool requests and model providers. No response contains their values.",
  },
  { name: "providers", description: "Model providers that a workspace configured." },
  { name: "signing secrets", description: "The secrets that sign tool calls." },
  { name: "workspaces", description: "Workspaces and their quota usage." },
  { name: "api keys", description: "API keys: scopes, expiry and rotation." },
  { name: "audit", description: "The changes in a workspace, with author and time." },
  { name: "metrics", description: "What happened in a workspace over time." },
  { name: "operations", description: "Health, metrics, public keys and this document." },
] as const;

export type ApiTag = (typeof API_TAGS)[number]["name"];
