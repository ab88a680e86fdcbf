import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

const load = () => import("./executions/executions.ts");

/** Adds `yagate executions` to the program. What it runs is loaded when it runs. */
export function addExecutionsCommand(program: Command): void {
  const executions = program
    .command("executions")
    .description("find, follow and cancel executions")
    .addHelpText("after", HELP);
  executions
    .command("list")
    .description("print executions, newest first; every filter that is given must hold")
    .option("--status <status>", "queued, running, waiting, completed, failed or cancelled")
    .option(
      "--agent <agent>",
      "executions of this agent, by its name or as agt_…; by name the key needs the scope agents",
    )
    .option("--code <code>", "executions that failed with this error, such as MODEL_ERROR")
    .option("--stop-reason <reason>", "executions that ended for this reason, such as truncated or maxTotalTokens")
    .option(
      "--since <time>",
      "created at this moment or later, such as 2026-11-22 (midnight UTC) or 2026-11-22T09:00:00Z; or the last 30m, 12h, 7d",
    )
    .option("--until <time>", "created before this moment")
    .option("--metadata <name=value>", "with this string at the top of the metadata; up to 8 of them", collect)
    .option("--limit <number>", "executions at most (default: 50; with --json all of them)")
    .option("--json", "print JSON lines: whole executions")
    .action((options) => runCommand(async () => (await load()).listExecutions(options), OPTIONS));
  executions
    .command("show")
    .description("print an execution as JSON, with its tool calls")
    .argument("<id>", "exec_…")
    .option("--json", "the same: it is JSON anyway")
    .action((id) => runCommand(async () => (await load()).showExecution(id)));
  executions
    .command("follow")
    .description("print an execution's events up to its end; status 1 if it failed or was cancelled")
    .argument("<id>", "exec_…")
    .option("--json", "print JSON lines: whole events")
    .action((id, options) => runCommand(async () => (await load()).followExecution(id, options)));
  executions
    .command("cancel")
    .description("ask an execution to stop: nothing new starts, writes under way are awaited")
    .argument("<id>", "exec_…")
    .option("--json", "print the execution as JSON")
    .action((id, options) => runCommand(async () => (await load()).cancelExecution(id, options)));
}

const OPTIONS = {
  status: "--status",
  agent: "--agent",
  code: "--code",
  stopReason: "--stop-reason",
  since: "--since",
  until: "--until",
  metadata: "--metadata",
};

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope executions.

Examples:
  yagate executions list --status failed --since 24h
  yagate executions list --metadata orderId=ORD-7 --json
  yagate executions follow exec_01jd3v0c8me9kxt3f6r2p5q7sa
  yagate executions cancel exec_01jd3v0c8me9kxt3f6r2p5q7sa`;
