import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

/** Adds `yagate agents` to the program. What it runs is loaded when it runs. */
export function addAgentsCommand(program: Command): void {
  const command = program
    .command("agents")
    .description("list, show, create, change and delete agents")
    .addHelpText("after", HELP);
  command
    .command("list")
    .description("print the workspace's agents, newest first")
    .option("--json", "print JSON")
    .action((options) => runCommand(async () => (await import("./agents/agents.ts")).listAgents(options)));
  command
    .command("show")
    .description("print one agent as JSON")
    .argument("<agent>", "its name, or agt_…")
    .action((agent: string) => runCommand(async () => (await import("./agents/agents.ts")).showAgent(agent)));
  command
    .command("create")
    .description("create an agent of what a file says")
    .argument("<file>", "JSON as POST /v1/agents takes it; - reads standard input")
    .action((file: string) => runCommand(async () => (await import("./agents/agents.ts")).createAgent(file)));
  command
    .command("update")
    .description("change what a file gives of an agent")
    .argument("<agent>", "its name, or agt_…")
    .argument("<file>", "JSON as PATCH /v1/agents/:id takes it; - reads standard input")
    .action((agent: string, file: string) =>
      runCommand(async () => (await import("./agents/agents.ts")).updateAgent(agent, file)),
    );
  command
    .command("delete")
    .description("archive an agent: what has started goes on, nothing new starts")
    .argument("<agent>", "its name, or agt_…")
    .action((agent: string) => runCommand(async () => (await import("./agents/agents.ts")).deleteAgent(agent)));
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope agents, and the scope
tools where a file names tools of the workspace by their names: { "tool": "get_weather" }.

Examples:
  yagate agents create agent.json
  yagate agents list
  yagate agents update "Order desk" change.json`;
