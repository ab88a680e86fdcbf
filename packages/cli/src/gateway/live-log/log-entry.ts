/** One entry of the live log: an event of an execution, or of a tool source, described for people. */
export interface LogEntry {
  /** ISO 8601. */
  readonly at: string;
  /** Id of the execution or of the source. */
  readonly id: string;
  readonly kind: "step" | "done" | "failed" | "waiting";
  /** One line. May contain untrusted text. */
  readonly text: string;
  /** Further lines: the cause, what to do, and the page that explains it. May contain untrusted text. */
  readonly details: readonly string[];
}
