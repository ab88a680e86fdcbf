/** One entry of the live log: an event of an execution, of a tool source, or of the gateway, described for people. */
export interface LogEntry {
  /** ISO 8601. */
  readonly at: string;
  /** Id of the execution or of the source; `request` or `gateway` for other entries. */
  readonly id: string;
  readonly kind: "step" | "done" | "failed" | "waiting";
  /** One line. May contain untrusted text. */
  readonly text: string;
  /** Further lines: the cause, what to do, and the page that explains it. May contain untrusted text. */
  readonly details: readonly string[];
}
