import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

/** Adds `yagate toolkits` to the program. What it runs is loaded when it runs. */
export function addToolkitsCommand(program: Command): void {
  const command = program
    .command("toolkits")
    .description("list, show, finalize and delete tools that were made together")
    .addHelpText("after", HELP);
  command
    .command("list")
    .description("print the workspace's toolkits, newest first")
    .option("--json", "print JSON")
    .action((options) => runCommand(async () => (await import("./toolkits/toolkits.ts")).listToolkits(options)));
  command
    .command("show")
    .description("print one toolkit with its tools as JSON")
    .argument("<toolkit>", "its id, kit_…, or a name that no other one has")
    .action((toolkit: string) => runCommand(async () => (await import("./toolkits/toolkits.ts")).showToolkit(toolkit)));
  command
    .command("finalize")
    .description("make every validated tool of a toolkit one that agents can use")
    .argument("<toolkit>", "its id, kit_…, or a name that no other one has")
    .action((toolkit: string) =>
      runCommand(async () => (await import("./toolkits/toolkits.ts")).finalizeToolkit(toolkit)),
    );
  command
    .command("delete")
    .description("delete a toolkit; its tools stay")
    .argument("<toolkit>", "its id, kit_…, or a name that no other one has")
    .option("--archive-tools", "archive those of its tools that are not created yet")
    .action((toolkit: string, options) =>
      runCommand(async () => (await import("./toolkits/toolkits.ts")).deleteToolkit(toolkit, options)),
    );
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope tools.
Toolkits are made by yagate tools import and yagate tools install.

Examples:
  yagate toolkits list
  yagate toolkits finalize "Shop API"
  yagate toolkits delete "Shop API" --archive-tools`;
