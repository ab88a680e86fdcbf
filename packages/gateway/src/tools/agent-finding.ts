/** One thing about a field of the agent. An error keeps the agent from being saved, a warning does not. */
export interface AgentFinding {
  readonly severity: "error" | "warning";
  /** As `tools[0].handler`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}
