import type { CommandSpec, Given } from "../frame/command-spec.ts";
import { docsUrl } from "../frame/docs-url.ts";
import { STATUS_MEANINGS } from "../frame/exit-status.ts";
import { outputSchema } from "../output-schema.ts";
import { commandHelp, programHelp } from "./format-help.ts";
import { type Row, section } from "./layout.ts";
import { commandTree, describeCommand } from "./tree.ts";

/** Explains a command, or a topic that is not a command. */
export async function printHelp({ args: words, globals: { json = false }, commands }: Given): Promise<void> {
  const [topic] = words;
  if (words.length === 1 && topic === "exit-codes") return printExitCodes(json);
  if (words.length === 1 && topic === "environment") return printEnvironment(json);
  if (words.length === 1 && topic === "json") return printJson(JSON.parse(outputSchema()));
  if (topic === undefined) return json ? printJson(commandTree(commands)) : print(programHelp(commands).trimEnd());
  const spec = find(commands, words);
  if (spec === undefined) {
    const { usageError } = await import("../frame/usage-error.ts");
    throw usageError(`there is no command or topic "${words.join(" ")}"`);
  }
  if (json) printJson(describeCommand(spec, words));
  else print(commandHelp(spec, words).trimEnd());
}

function find(commands: readonly CommandSpec[], [name, ...rest]: readonly string[]): CommandSpec | undefined {
  let found = commands.find((command) => command.name === name);
  for (const word of rest) found = found?.commands?.find((command) => command.name === word);
  return found;
}

function printExitCodes(json: boolean): void {
  if (json) return printJson(STATUS_MEANINGS);
  const rows = Object.entries(STATUS_MEANINGS).map(([status, meaning]): Row => [status, meaning]);
  print([section("Exit status of every command", rows), "", `Docs: ${docsUrl("cli", "exit-status")}`].join("\n"));
}

async function printEnvironment(json: boolean): Promise<void> {
  const { environmentHelp } = await import("./environment.ts");
  const { own, gateway, providerKeys } = environmentHelp();
  if (json) return printJson({ own, gateway, providerKeys });
  const list = (names: readonly string[]) => names.map((name) => `  ${name}`).join("\n");
  print(
    [
      section("Variables that every command reads", Object.entries(own)),
      "",
      `Variables that dev, serve, migrate, backup and egress check read:\n${list(gateway)}`,
      "",
      `Keys of model providers, for dev and serve:\n${list(providerKeys)}`,
      "",
      `Docs: ${docsUrl("configuration")}`,
    ].join("\n"),
  );
}

function printJson(document: unknown): void {
  print(JSON.stringify(document, null, 2));
}

function print(text: string): void {
  console.log(text);
}
