/** A page of the console. */
export interface Place {
  readonly path: string;
  readonly name: string;
  /** Where the addresses of its objects start, if not at `path`. */
  readonly below?: readonly string[];
}

/** The pages in the navigation. */
export const PLACES: readonly Place[] = [
  { path: "/", name: "Home" },
  { path: "/executions", name: "Executions", below: ["/tool-calls"] },
  { path: "/approvals", name: "Approvals" },
  { path: "/agents", name: "Agents" },
  { path: "/tools", name: "Tools", below: ["/sources"] },
  { path: "/handlers", name: "Handlers" },
  { path: "/secrets", name: "Secrets" },
  { path: "/metrics", name: "Metrics" },
  { path: "/settings", name: "Settings" },
];

/** Returns where an id leads; undefined for an id that no page shows. */
export function pathOfId(id: string): string | undefined {
  if (/^exec_\w+$/.test(id)) return `/executions/${id}`;
  if (/^tc_\w+$/.test(id)) return `/tool-calls/${id}`;
  if (/^apr_\w+$/.test(id)) return `/approvals?open=${id}`;
  if (/^agt_\w+$/.test(id)) return `/agents/${id}`;
  if (/^tool_\w+$/.test(id)) return `/tools/${id}`;
  if (/^src_\w+$/.test(id)) return `/sources/${id}`;
  if (/^ep_\w+$/.test(id)) return `/handlers?row=${id}`;
  return undefined;
}
