/** The headings of `yagate --help`. */
export const GROUPS = {
  common: "Most used",
  gateway: "Run a gateway",
  workspace: "Manage a workspace",
  executions: "Approve and review what agents do",
  evals: "Test agents",
  handlers: "Develop handlers",
  cli: "This command line",
} as const;
