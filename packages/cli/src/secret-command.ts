import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

/** Adds `yagate secret` to the program. What it runs is loaded when it runs. */
export function addSecretCommand(program: Command): void {
  const command = program
    .command("secret")
    .description("list, set and delete the workspace's secrets, such as keys of model providers")
    .addHelpText("after", HELP);
  command
    .command("list")
    .description("print names and metadata; values can't be read")
    .option("--json", "print JSON")
    .action((options) => runCommand(async () => (await import("./secret/list.ts")).listSecrets(options)));
  command
    .command("set")
    .description("set a secret to a value that is typed without echo, or comes on standard input")
    .argument("<name>", "1 to 64 of A-Z 0-9 _, starting with a letter")
    .option(
      "--host <host>",
      "a host that it may be sent to, such as api.example.com; may be repeated; replaces those from before",
      add,
    )
    .option(
      "--auth <type>",
      "how it goes along with requests of tools: bearer, basic, header, query_param or signed_token",
    )
    .option("--auth-name <name>", "the header or the query parameter")
    .option("--auth-issuer <text>", "iss of signed tokens")
    .option("--auth-subject <text>", "sub of signed tokens")
    .option("--auth-audience <text>", "aud of signed tokens")
    .option("--auth-expires <seconds>", "how long a signed token is good, 1 to 3600; default 60")
    // Otherwise the value would be repeated in the message that it is one argument too many.
    .allowExcessArguments()
    .action((name: string, options, { args }: Command) =>
      runCommand(async () => (await import("./secret/set.ts")).setSecret(name, options, args.length > 1), OPTIONS),
    );
  command
    .command("delete")
    .description("delete a secret; whatever names it says from now on that it is missing")
    .argument("<name>")
    .action((name: string) => runCommand(async () => (await import("./secret/delete.ts")).deleteSecret(name)));
}

function add(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope secrets.

Examples:
  yagate secret set OPENAI_KEY
  yagate secret set OPENAI_KEY < key.txt
  yagate secret set HOUSE_KEY --host llm.example.com
  yagate secret set SHOP_KEY --host api.shop.example --auth header --auth-name X-Api-Key
  yagate secret set JIRA_LOGIN --host api.atlassian.com --auth basic
  yagate secret list

The key of a model provider goes to that provider without a host. For a base URL of your own, name its host.

With --auth basic, or for a secret that is basic already, the user name and the password are asked
for one after the other. On standard input they are one line: the user name, a colon and the password.

There is no argument for the value: others on the machine could read it there, and the shell's history keeps it.`;

const OPTIONS = {
  hosts: "--host",
  auth: "--auth",
  "auth.type": "--auth",
  "auth.name": "--auth-name",
  "auth.issuer": "--auth-issuer",
  "auth.subject": "--auth-subject",
  "auth.audience": "--auth-audience",
  "auth.expiresInSeconds": "--auth-expires",
};
