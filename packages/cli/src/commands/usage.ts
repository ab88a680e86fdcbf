import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const usage: CommandSpec = {
  name: "usage",
  summary: "Show how much of each quota the workspace uses",
  group: GROUPS.workspace,
  options: [{ flags: "--workspace <id>", text: 'another workspace; requires an admin key of the workspace "default"' }],
  examples: ["yagate usage", "yagate usage --json"],
  notes: [
    "An asterisk marks quotas that each replica counts separately. The last line shows when the stored bytes were last counted.",
    "The exit status is 0 even if a quota is used up.",
  ],
  scopes: ["agents, executions, tools, secrets, operations or admin"],
  page: "quotas",
  output: { schema: "WorkspaceUsage" },
  run: async ({ open, options }) => (await import("../usage/usage.ts")).printUsage(await open(), options),
};
