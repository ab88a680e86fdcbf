import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

/** Adds `yagate audit` to the program. What it runs is loaded when it runs. */
export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("print who changed what in the workspace, newest first")
    .option(
      "--since <time>",
      "from this moment on, such as 2026-11-22 (midnight UTC) or 2026-11-22T09:00:00Z; or the last 30m, 12h, 7d",
    )
    .option("--until <time>", "before this moment")
    .option("--action <action>", "what happened, such as agent.updated")
    .option("--type <type>", "the type of the resource, such as agent or secret")
    .option(
      "--resource <id>",
      "the id of the resource, such as agt_…; the name of a secret, a provider or an integration",
    )
    .option("--key <id>", "the API key that made the changes")
    .option("--workspace <id>", "another workspace; for an admin key of the workspace default")
    .option("--limit <number>", "entries at most (default: 50; with --json all of them)")
    .option("--json", "print JSON lines: whole entries, with what there was before and after")
    .addHelpText("after", HELP)
    .action((options) => runCommand(async () => (await import("./audit/list.ts")).listAudit(options)));
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope admin.

Examples:
  yagate audit --since 7d
  yagate audit --since 2026-11-21 --until 2026-11-22 --action agent.updated
  yagate audit --type secret --json > secrets.jsonl`;
