/** What the operations of the API are grouped by, in the order of the document. */
export const API_TAGS = [
  { name: "agents", description: "Agents and their versions. Every change makes a new, immutable version." },
  { name: "executions", description: "Runs of agents: start, follow, read and cancel them, and read their receipts." },
  { name: "tool calls", description: "What the model asked for, each attempt at it, and the results." },
  { name: "approvals", description: "Tool calls that wait for a person's decision." },
  { name: "callbacks", description: "Results of asynchronous tool calls, sent by their handlers." },
  { name: "tools", description: "Tools, toolkits and templates of the workspace." },
  { name: "integrations", description: "Named lists of domains that agents may reach." },
  { name: "endpoints", description: "Handler URLs and their state." },
  { name: "secrets", description: "Credentials that requests of tools carry. No response contains a value." },
  { name: "providers", description: "Model providers that a workspace configured for itself." },
  { name: "signing secrets", description: "The secrets that sign tool calls." },
  { name: "workspaces", description: "Tenants, and what each uses of its quotas." },
  { name: "api keys", description: "Keys of the API: their scopes, expiry and rotation." },
  { name: "audit", description: "Who changed what, and when." },
  { name: "operations", description: "Health, metrics, public keys and this document." },
] as const;

export type ApiTag = (typeof API_TAGS)[number]["name"];
