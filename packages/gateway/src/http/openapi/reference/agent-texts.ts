import type { PropertyTexts } from "./text.ts";

/** Agents, their policy and their limits. */
export const AGENT_TEXTS: PropertyTexts = {
  agentId: "The agent.",
  agentVersion: { text: "The version of the agent that the execution stays on.", example: 3 },
  agentName: { text: "The name of the agent.", example: "Support" },
  model: { text: "Provider and model, such as `openai/gpt-5` or `scripted/turns`.", example: "openai/gpt-5" },
  systemPrompt: {
    text: "Instructions for the model, at most 100,000 characters.",
    example: "You help customers with their orders.",
  },
  "CreateAgent.tools": "The agent's tools, at most 128. Default: none.",
  "UpdateAgent.tools": "Replaces all tools of the agent.",
  "Agent.tools":
    "The agent's tools. A reference to a workspace tool names the version that was resolved when it was saved.",
  limits: "Bounds of an execution. An execution that reaches one ends with an explanation.",
  "CreateExecution.limits": "Lower limits for this execution. A limit above the agent's is ignored.",
  "CreateIntegration.limits":
    "Limits for calls to these domains, by the name of a plan. They apply in addition to the plan's.",
  "UpdateIntegration.limits": "Replaces the limits by plan; null removes them.",
  "Integration.limits": "Limits for calls to these domains, by the name of a plan.",
  maxToolIterations: { text: "Model turns that may call tools.", example: 8 },
  maxToolCallsPerTurn: {
    text: "Tool calls in one model turn. Calls beyond it fail with `BUDGET_EXCEEDED`; the others run.",
    example: 20,
  },
  maxWallTimeMs: {
    text: "Time that the execution may spend running, in milliseconds. Waiting does not count.",
    example: 300_000,
  },
  maxToolCostUsd: { text: "What tool calls may cost together, in US dollars; null: unlimited.", example: 0.5 },
  maxToolResultTokens: {
    text: "Estimated tokens of tool results that the model may read in one execution.",
    example: 50_000,
  },
  maxSameToolRetries: { text: "Turns in which the model may call a tool again after it failed.", example: 2 },
  maxCostUsd: {
    text: "What the whole execution may cost, models included, in US dollars; null: unlimited.",
    example: 1,
  },
  maxTotalTokens: { text: "Tokens that the whole execution may use; null: unlimited.", example: 200_000 },
  integrations: { text: "Names of the integrations whose domains the agent may reach.", example: ["shop"] },
  "CreateAgent.credentials": { text: "Names of workspace secrets that `api_call` may send.", example: ["SHOP_KEY"] },
  credentials: { text: "Names of workspace secrets that requests may carry.", example: ["SHOP_KEY"] },
  webhookUrls: {
    text: "URLs whose hosts the `webhook` tool may post to, at most 3.",
    example: ["https://hooks.example.com/orders"],
  },
  policy: "What the agent's tools may do.",
  network: "Whether tools may run whose destination a template or the model fills in. Default false.",
  toolKinds: { text: "The only kinds of tools that may run. Absent: every kind.", example: ["handler", "compute"] },
  "policy.approval": "Which calls a person must approve first. Default `destructive`.",
  "AgentPolicy.approval": "Which calls a person must approve first. Default `destructive`.",
  untrusted: "Which calls need approval once the model has read untrusted content. Default `approve_writes`.",
  version: { text: "Number of the version, from 1. Every change makes the next one.", example: 1 },
  "UpdateAgent.version": { text: "The current version. A stale one is refused with `CONFLICT`.", example: 1 },
  "UpdateIntegration.version": { text: "The current version. A stale one is refused with `CONFLICT`.", example: 1 },
  "UpdateWorkspaceTool.version": { text: "The current version. A stale one is refused with `CONFLICT`.", example: 1 },
  "AdvanceWorkspaceTool.version": { text: "The version that is meant. Default: the current one.", example: 1 },
  "ToolReference.version": {
    text: "The tool's version. Default: the version that is current when the agent is saved.",
    example: 2,
  },
  "Agent.warnings": "Problems of the saved agent that its author should know. Only in responses to saving.",
  "CreateAgent.name": { text: "What people call the agent.", example: "Support" },
  "UpdateAgent.name": { text: "What people call the agent.", example: "Support" },
  "Agent.name": { text: "What people call the agent.", example: "Support" },
};
