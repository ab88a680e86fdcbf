import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

/** Adds `yagate usage` to the program. What it runs is loaded when it runs. */
export function addUsageCommand(program: Command): void {
  program
    .command("usage")
    .description("print what the workspace uses of its quotas")
    .option("--workspace <id>", "another workspace; for an admin key of the workspace default")
    .option("--json", "print JSON")
    .addHelpText("after", HELP)
    .action((options) => runCommand(async () => (await import("./usage.ts")).printUsage(options)));
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; any API key may read its own workspace.
Quotas with * are counted by each replica for itself.

Examples:
  yagate usage
  yagate usage --json`;
