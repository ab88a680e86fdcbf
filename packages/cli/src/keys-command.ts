import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

const WORKSPACE = ["--workspace <id>", "another workspace; for an admin key of the workspace default"] as const;

/** Adds `yagate keys` to the program. What it runs is loaded when it runs. */
export function addKeysCommand(program: Command): void {
  const command = program
    .command("keys")
    .description("list, create, rotate and delete API keys")
    .addHelpText("after", HELP);
  command
    .command("list")
    .description("print keys with their scopes, expiry and last use; texts can't be read")
    .option(...WORKSPACE)
    .option("--json", "print JSON")
    .action((options) => runCommand(async () => (await import("./keys/keys.ts")).listKeys(options)));
  command
    .command("create")
    .description("make a key, and print its text this once")
    .argument("<name>")
    .requiredOption(
      "--scopes <scopes>",
      "separated by commas: agents, executions, fallback, approvals, secrets, tools, operations, admin",
    )
    .option("--expires <time>", "a date (midnight UTC), a time with its zone, or how long from now as 12h or 90d")
    .option(...WORKSPACE)
    .option("--json", "print JSON")
    .action((name: string, options) =>
      runCommand(async () => (await import("./keys/keys.ts")).createKey(name, options)),
    );
  command
    .command("rotate")
    .description("give a key another text, and print it this once; the previous one works for the overlap")
    .argument("<id>")
    .option("--overlap <seconds>", "0 to 604800 (default: 86400)")
    .option("--json", "print JSON")
    .action((id: string, options) => runCommand(async () => (await import("./keys/keys.ts")).rotateKey(id, options)));
  command
    .command("delete")
    .description("delete a key: it is refused from now on")
    .argument("<id>")
    .action((id: string) => runCommand(async () => (await import("./keys/keys.ts")).deleteKey(id)));
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope admin. The text of a new
key is all that is printed on standard output; the rest goes to standard error.

Examples:
  yagate keys create ci --scopes agents,executions --expires 90d > ci.key
  yagate keys rotate key_01jd3v0c8me9kxt3f6r2p5q7sa --overlap 3600 > ci.key
  yagate keys list`;
