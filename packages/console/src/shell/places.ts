/** A page of the console. */
export interface Place {
  readonly path: string;
  readonly name: string;
}

/** The pages in the navigation. */
export const PLACES: readonly Place[] = [
  { path: "/executions", name: "Executions" },
  { path: "/approvals", name: "Approvals" },
];

/** Returns where an id leads; undefined for an id that no page shows. */
export function pathOfId(id: string): string | undefined {
  if (/^exec_\w+$/.test(id)) return `/executions/${id}`;
  if (/^tc_\w+$/.test(id)) return `/tool-calls/${id}`;
  if (/^apr_\w+$/.test(id)) return `/approvals?open=${id}`;
  return undefined;
}
