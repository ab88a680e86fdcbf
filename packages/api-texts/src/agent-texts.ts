import type { PropertyTexts } from "./text.ts";

/** Descriptions for agents, their policy and their limits. */
export const AGENT_TEXTS: PropertyTexts = {
  agentId: "Id of the agent.",
  agentVersion: { text: "The version of the agent that the execution uses until it ends.", example: 3 },
  agentName: { text: "The name of the agent.", example: "Support" },
  model: { text: "Provider and model, such as `openai/gpt-5` or `scripted/turns`.", example: "openai/gpt-5" },
  systemPrompt: {
    text: "Instructions for the model, at most 100,000 characters.",
    example: "You help customers with their orders.",
  },
  "CreateAgent.tools": "The agent's tools, at most 128. Default: none.",
  "UpdateAgent.tools": "Replaces all tools of the agent.",
  "Agent.tools":
    "The agent's tools. A reference to a workspace tool contains the version that was current when the agent was saved, unless the author chose another.",
  limits: "Limits of each execution. When an execution reaches a limit, it ends with an explanation.",
  "CreateExecution.limits": "Lower limits for this execution. A limit that is higher than the agent's has no effect.",
  "CreateIntegration.limits": "Limits for calls to these domains, by plan name, in addition to the plan's own limits.",
  "UpdateIntegration.limits": "Replaces all limits; each is listed under the name of its plan. Null removes them.",
  "Integration.limits": "Limits for calls to these domains, by plan name.",
  maxToolIterations: { text: "Maximum number of model turns that call tools.", example: 8 },
  maxToolCallsPerTurn: {
    text: "Maximum number of tool calls in one model turn. Further calls fail with `BUDGET_EXCEEDED`; the others run.",
    example: 20,
  },
  maxWallTimeMs: {
    text: "Maximum running time of the execution in milliseconds. Time spent waiting does not count.",
    example: 300_000,
  },
  maxToolCostUsd: { text: "Maximum total cost of tool calls in US dollars; null if unlimited.", example: 0.5 },
  maxToolResultTokens: {
    text: "Maximum estimated number of tokens in the tool results that the model reads in one execution.",
    example: 50_000,
  },
  maxSameToolRetries: {
    text: "Maximum number of model turns in which the model may call a tool again after a failed call.",
    example: 2,
  },
  maxCostUsd: {
    text: "Maximum cost of the execution in US dollars, including the cost of models; null if unlimited.",
    example: 1,
  },
  maxTotalTokens: { text: "Maximum number of tokens that the execution may use; null if unlimited.", example: 200_000 },
  integrations: { text: "Names of the integrations whose domains the agent may reach.", example: ["shop"] },
  "CreateAgent.credentials": { text: "Names of workspace secrets that `api_call` may send.", example: ["SHOP_KEY"] },
  credentials: { text: "Names of workspace secrets that requests may contain.", example: ["SHOP_KEY"] },
  webhookUrls: {
    text: "URLs whose hosts the `webhook` tool may post to; at most 3.",
    example: ["https://hooks.example.com/orders"],
  },
  policy: "The rules for the agent's tool calls.",
  network: "Whether tools whose destination a template or the model determines may run. Default false.",
  toolKinds: { text: "The kinds of tools that may run. Default: all.", example: ["handler", "compute"] },
  "policy.approval": "Which calls an approver must approve first. Default `destructive`.",
  "AgentPolicy.approval": "Which calls an approver must approve first. Default `destructive`.",
  untrusted:
    "Which calls an approver must approve first, once the model has read untrusted content. Default `approve_writes`.",
  toolSearch: "When the agent's tools are deferred, so that its model has to search for them. Default: never.",
  "UpdateAgent.toolSearch":
    "Changes the fields that it contains. An agent without `toolSearch` gets the defaults of the others.",
  "ExecutionStartedEvent.toolSearch": "The deferred tools; absent if every model turn carries all tools.",
  "ToolSearch.mode":
    "`auto`: tools are deferred if they exceed `maxTools` or `maxTokens`. `always`: tools are always deferred. `off`: never. Default `auto`.",
  "toolSearch.mode":
    "`auto`: tools are deferred if they exceed `maxTools` or `maxTokens`. `always`: tools are always deferred. `off`: never.",
  "ToolSearch.maxTools": {
    text: "Number of tools that a model turn may carry before they are deferred. Default 40.",
    example: 40,
  },
  "toolSearch.maxTools": { text: "Number of tools that a model turn may carry before they are deferred.", example: 40 },
  "ToolSearch.maxTokens": { text: "Estimated tokens of their definitions. Default 8000.", example: 8_000 },
  "toolSearch.maxTokens": { text: "Estimated tokens of their definitions.", example: 8_000 },
  "ToolSearch.limit": { text: "Number of tools that a search finds by default. Default 5.", example: 5 },
  "toolSearch.limit": { text: "Number of tools that a search finds by default.", example: 5 },
  "ToolSearch.pinned": {
    text: "Names of tools that are never deferred; `*` stands for any characters. Default: none.",
    example: ["orders.lookup"],
  },
  "toolSearch.pinned": {
    text: "Names of tools that are never deferred; `*` stands for any characters.",
    example: ["orders.lookup"],
  },
  "toolSearch.shown": { text: "Names of the tools that every model turn carries.", example: ["orders.lookup"] },
  "toolSearch.deferred": { text: "Number of the deferred tools.", example: 198 },
  "toolSearch.deferredTokens": { text: "Estimated tokens of their definitions.", example: 26_730 },
  version: { text: "Version number, starting at 1. Every change creates the next version.", example: 1 },
  "UpdateAgent.version": {
    text: "The current version. An update with an outdated version is rejected with `CONFLICT`.",
    example: 1,
  },
  "UpdateIntegration.version": {
    text: "The current version. An update with an outdated version is rejected with `CONFLICT`.",
    example: 1,
  },
  "UpdateWorkspaceTool.version": {
    text: "The current version. A request with an outdated version is rejected with `CONFLICT`.",
    example: 1,
  },
  "AdvanceWorkspaceTool.version": { text: "The version to advance. Default: the current one.", example: 1 },
  "ToolReference.version": {
    text: "The version of the tool. Default: the version that is current when the agent is saved.",
    example: 2,
  },
  "Agent.warnings": "Warnings about the saved agent. Present only in responses to creating or updating an agent.",
  "CreateAgent.description": {
    text: "What the agent does, at most 4,096 characters. MCP hosts show it to their models. Default: empty.",
    example: "Answers questions about orders.",
  },
  "UpdateAgent.description": {
    text: "What the agent does, at most 4,096 characters.",
    example: "Answers questions about orders.",
  },
  "Agent.description": {
    text: "What the agent does. Like `exposed`, absent if an older version of the gateway saved the agent.",
    example: "Answers questions about orders.",
  },
  exposed: {
    text: "Whether `/mcp` offers the agent as a tool. Default false.",
    example: true,
  },
  "CreateAgent.name": { text: "Display name of the agent.", example: "Support" },
  "UpdateAgent.name": { text: "Display name of the agent.", example: "Support" },
  "Agent.name": { text: "Display name of the agent.", example: "Support" },
};
