import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

/** Adds `yagate integrations` to the program. What it runs is loaded when it runs. */
export function addIntegrationsCommand(program: Command): void {
  const command = program
    .command("integrations")
    .description("list, show, create, change and delete the domains that agents may enable")
    .addHelpText("after", HELP);
  command
    .command("list")
    .description("print the workspace's integrations")
    .option("--json", "print JSON")
    .action((options) => runCommand(async () => (await import("./integrations/show.ts")).listIntegrations(options)));
  command
    .command("show")
    .description("print one integration")
    .argument("<name>")
    .option("--json", "print JSON")
    .action((name: string, options) =>
      runCommand(async () => (await import("./integrations/show.ts")).showIntegration(name, options)),
    );
  withFields(command.command("create").description("create an integration").argument("<name>")).action(
    (name: string, options) => runCommand(async () => (await import("./integrations/save.ts")).create(name, options)),
  );
  withFields(command.command("update").description("change what is given of an integration").argument("<name>"))
    .option("--if-version <number>", "change this version, or nothing")
    .action((name: string, options) =>
      runCommand(async () => (await import("./integrations/save.ts")).update(name, options)),
    );
  command
    .command("delete")
    .description("delete an integration: agents that enable it reach its domains no longer")
    .argument("<name>")
    .action((name: string) =>
      runCommand(async () => (await import("./integrations/delete.ts")).deleteIntegration(name)),
    );
}

function withFields(command: Command): Command {
  return command
    .option("--domain <host>", "api.example.com, or *.example.com for every name below; may be repeated", add)
    .option("--port <port>", "a port of https URLs; may be repeated (default: 443)", add)
    .option("--description <text>", "for people")
    .option("--limits <json>", 'limits by plan, such as { "standard": { "callsPerMinute": 5 } }');
}

function add(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope tools.

Examples:
  yagate integrations create shop --domain api.shop.example --domain "*.parcels.example"
  yagate integrations update shop --port 443 --port 8443
  yagate integrations update shop --limits '{ "standard": { "callsPerMinute": 5 } }'
  yagate integrations list

What is given replaces what was there: update with one --domain leaves one domain.`;
