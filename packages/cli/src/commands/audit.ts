import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const audit: CommandSpec = {
  name: "audit",
  summary: "List changes in the workspace, newest first",
  group: GROUPS.workspace,
  options: [
    {
      flags: "--since <time>",
      text: "at this time or later: 2026-11-22 (midnight UTC), 2026-11-22T09:00:00Z, or 30m, 12h, 7d ago",
    },
    { flags: "--until <time>", text: "before this time" },
    { flags: "--action <action>", text: "the change, such as agent.updated" },
    { flags: "--type <type>", text: "type of the resource, such as agent or secret" },
    {
      flags: "--resource <id>",
      text: "id of the resource, such as agt_…; for a secret, a provider or an integration, its name",
    },
    { flags: "--key <id>", text: "API key that made the change" },
    { flags: "--workspace <id>", text: 'another workspace; requires an admin key of the workspace "default"' },
    { flags: "--limit <number>", text: "maximum number of entries (default: 50; with --json, all entries)" },
  ],
  examples: [
    "yagate audit --since 7d",
    "yagate audit --since 2026-11-21 --until 2026-11-22 --action agent.updated",
    "yagate audit --type secret --json > secrets.jsonl",
  ],
  notes: ["Filters match complete values. For an agent, --resource is its id, not its name."],
  scopes: ["admin"],
  page: "audit",
  output: { schema: "AuditEntry", isStream: true },
  run: async ({ open, options }) => (await import("../audit/list.ts")).listAudit(await open(), options),
};
