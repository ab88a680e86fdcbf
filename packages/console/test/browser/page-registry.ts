/** A page with what brings it into each of its states. */
export interface RegisteredPage {
  readonly name: string;
  /** Its path in the router. */
  readonly route: string;
  /** Its address, with the ids of a world. */
  path(ids: { readonly executionId: string; readonly toolCallId: string }): string;
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
    name: "Tool call",
    route: "/tool-calls/$id",
    path: ({ toolCallId }) => `tool-calls/${toolCallId}`,
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
];
