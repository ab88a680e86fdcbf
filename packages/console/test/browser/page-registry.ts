/** The ids of what a test's world has. */
export interface WorldIds {
  readonly executionId: string;
  readonly toolCallId: string;
  /** A call that has not ended. */
  readonly waitingCallId: string;
  readonly agentId: string;
  readonly toolId: string;
  readonly sourceId: string;
}

/** A page with what brings it into each of its states. */
export interface RegisteredPage {
  readonly name: string;
  /** Its path in the router. */
  readonly route: string;
  /** Its address, with the ids of a world. */
  path(ids: WorldIds): string;
  /** The address at which it follows changes, if `path` shows what has ended. */
  livePath?(ids: WorldIds): string;
  /** The request without which it shows nothing. */
  readonly request: RegExp;
  /** What the request returns where there is nothing to show; a function changes the real response. */
  readonly empty: { readonly type: string; readonly body: string } | ((body: Record<string, unknown>) => unknown);
}

const NO_ROWS = { type: "application/json", body: JSON.stringify({ data: [], nextCursor: null }) };

/** Every page of the console. */
export const PAGES: readonly RegisteredPage[] = [
  {
    name: "Executions",
    route: "/executions",
    path: () => "executions",
    request: /\/v1\/executions\?/,
    empty: NO_ROWS,
  },
  {
    name: "Execution",
    route: "/executions/$id",
    path: ({ executionId }) => `executions/${executionId}`,
    request: /\/v1\/executions\/exec_\w+\/events$/,
    empty: { type: "text/event-stream", body: "" },
  },
  {
    name: "Tool calls",
    route: "/tool-calls",
    path: () => "tool-calls",
    request: /\/v1\/tool-calls\?limit/,
    empty: NO_ROWS,
  },
  {
    name: "Tool call",
    route: "/tool-calls/$id",
    path: ({ toolCallId }) => `tool-calls/${toolCallId}`,
    livePath: ({ waitingCallId }) => `tool-calls/${waitingCallId}`,
    request: /\/v1\/tool-calls\/tc_\w+$/,
    empty: (call) => ({ ...call, attempts: [] }),
  },
  {
    name: "Approvals",
    route: "/approvals",
    path: () => "approvals",
    request: /\/v1\/approvals\?/,
    empty: NO_ROWS,
  },
  {
    name: "Home",
    route: "/",
    path: () => "",
    request: /\/v1\/executions\?status=completed/,
    empty: NO_ROWS,
  },
  {
    name: "Agents",
    route: "/agents",
    path: () => "agents",
    request: /\/v1\/agents\?/,
    empty: NO_ROWS,
  },
  {
    name: "Agent",
    route: "/agents/$id",
    path: ({ agentId }) => `agents/${agentId}?tab=edit`,
    request: /\/v1\/agents\/agt_\w+$/,
    empty: (agent) => ({ ...agent, tools: [] }),
  },
  {
    name: "New agent",
    route: "/agents/new",
    path: ({ agentId }) => `agents/new?from=${agentId}`,
    request: /\/v1\/agents\/agt_\w+$/,
    empty: (agent) => ({ ...agent, tools: [] }),
  },
  {
    name: "Tools",
    route: "/tools",
    path: () => "tools",
    request: /\/v1\/tools\?/,
    empty: NO_ROWS,
  },
  {
    name: "Tool",
    route: "/tools/$id",
    path: ({ toolId }) => `tools/${toolId}`,
    request: /\/v1\/tools\/tool_\w+$/,
    empty: (tool) => ({ ...tool, lastTest: null }),
  },
  {
    name: "New tool",
    route: "/tools/new",
    path: () => "tools/new",
    request: /\/v1\/tools\/preview$/,
    empty: { type: "application/json", body: JSON.stringify({ method: "GET", url: "", headers: {}, body: null }) },
  },
  {
    name: "Tool source",
    route: "/sources/$id",
    path: ({ sourceId }) => `sources/${sourceId}`,
    request: /\/v1\/tool-sources\/src_\w+$/,
    empty: (source) => ({ ...source, tools: [] }),
  },
  {
    name: "Handlers",
    route: "/handlers",
    path: () => "handlers",
    request: /\/v1\/endpoints\?/,
    empty: NO_ROWS,
  },
  {
    name: "Secrets",
    route: "/secrets",
    path: () => "secrets",
    request: /\/v1\/secrets\?/,
    empty: NO_ROWS,
  },
  {
    name: "Metrics",
    route: "/metrics",
    path: () => "metrics",
    request: /\/v1\/metrics\/series\?/,
    empty: (report) => ({ ...report, series: [] }),
  },
  {
    name: "Settings",
    route: "/settings",
    path: () => "settings",
    request: /\/v1\/usage$/,
    empty: (usage) => ({ ...usage, quotas: {} }),
  },
  {
    name: "Audit log",
    route: "/settings",
    path: () => "settings?tab=audit",
    request: /\/v1\/audit\?/,
    empty: NO_ROWS,
  },
];
