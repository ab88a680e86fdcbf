import type { Command } from "commander";
import type { ExecOptions } from "./exec/exec.ts";
import { runCommand } from "./run-command.ts";

/** Adds `yagate exec` to the program. What it runs is loaded when it runs. */
export function addExecCommand(program: Command): void {
  program
    .command("exec")
    .description("execute an agent, and print its tool calls and what it says")
    .argument("<agent>", "its name, or agt_…")
    .argument("<input...>", "what it is asked")
    .option("--follow", "print while it happens (default: on a terminal)")
    .option("--json", "print the whole execution as JSON when it has ended")
    .option("--script <file>", "of the model scripted/turns: JSON with its turns; - reads standard input")
    .option("--timeout <duration>", "stop waiting after 30s, 10m, 2h or 1d; the execution goes on (default: never)")
    .option(
      "--max-cost <usd>",
      "stop asking the model once this is used up; one turn may pass it. Lowers the agent's limit maxCostUsd",
    )
    .option(
      "--max-tokens <count>",
      "stop asking the model once they are used up; one turn may pass it. Lowers the agent's limit maxTotalTokens",
    )
    .addHelpText("after", HELP)
    .action((agent: string, input: readonly string[], options: ExecOptions) =>
      runCommand(async () => (await import("./exec/exec.ts")).execute(agent, input, options), OPTIONS),
    );
}

/** The limits are checked by themselves before the request is. */
const OPTIONS = {
  maxCostUsd: "--max-cost",
  maxTotalTokens: "--max-tokens",
  "limits.maxCostUsd": "--max-cost",
  "limits.maxTotalTokens": "--max-tokens",
};

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scopes agents and executions.
Text goes to the standard output; the id of the execution, how each tool call ended, and what the execution waits for
with the commands that answer, to the standard error.

Examples:
  yagate exec "Order desk" Where is ORD-7?
  yagate exec agt_01jd3v0c8me9kxt3f6r2p5q7sa "Where is ORD-7?" --json

Exit status: 0 completed, 1 failed or cancelled, 2 refused, 5 not ended within --timeout.`;
