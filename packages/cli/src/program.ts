import { Command, CommanderError, Option, type OptionValues } from "commander";
import { COMMANDS } from "./commands/commands.ts";
import type { CommandSpec, OptionSpec } from "./frame/command-spec.ts";
import { EXIT } from "./frame/exit-status.ts";
import { GLOBAL_OPTIONS } from "./frame/global-options.ts";
import type { GlobalOptions } from "./frame/globals.ts";
import { runCommand } from "./frame/run-command.ts";
import { turnOffColors } from "./frame/style-text.ts";
import { commandHelp, programHelp } from "./help/format-help.ts";
import { packageVersion } from "./package-version.ts";

/** Runs `yagate` with these arguments. Never throws: errors are printed and set `process.exitCode`. */
export async function runProgram(words: readonly string[]): Promise<void> {
  // Applies to an invalid command line too.
  if (words.includes("--no-color")) turnOffColors();
  try {
    await createProgram().parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    if (error.code === "commander.help") process.exitCode = EXIT.usage;
    else await printUsageError(error, words);
  }
}

function createProgram(): Command {
  const program = new Command("yagate")
    .version(packageVersion())
    .helpCommand(false)
    .helpOption("-h, --help")
    .configureHelp({ formatHelp: () => programHelp(COMMANDS) })
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const option of GLOBAL_OPTIONS) program.addOption(toOption(option));
  for (const spec of COMMANDS) addCommand(program, spec, []);
  return program;
}

function addCommand(parent: Command, spec: CommandSpec, parents: readonly string[]): void {
  const path = [...parents, spec.name];
  const command = parent
    .command(spec.name)
    .helpCommand(false)
    .configureHelp({ formatHelp: () => commandHelp(spec, path) });
  for (const { name, text } of spec.arguments ?? []) command.argument(name, text);
  for (const option of spec.options ?? []) command.addOption(toOption(option));
  if (spec.allowsExcess === true) command.allowExcessArguments();
  for (const child of spec.commands ?? []) addCommand(command, child, path);
  if (spec.run === undefined) return;
  command.action((...parameters: readonly unknown[]) => {
    const [self] = parameters.slice(-1);
    if (!(self instanceof Command)) throw new TypeError("expected commander to pass the command last");
    const globals: GlobalOptions = self.optsWithGlobals();
    return runCommand(spec, path.join(" "), {
      args: self.args,
      options: ownOptions(self),
      globals,
      commands: COMMANDS,
    });
  });
}

/** Returns the options of a command. If a parent that can run has an option of the same name, the parent parses it. */
function ownOptions(command: Command): OptionValues {
  const values: OptionValues = command.optsWithGlobals();
  const names = command.options.map((option) => option.attributeName());
  return Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
}

function toOption({ flags, text, isRepeatable = false, isRequired = false, isHidden = false }: OptionSpec): Option {
  const option = new Option(flags, text).makeOptionMandatory(isRequired).hideHelp(isHidden);
  if (!isRepeatable) return option;
  return option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
}

async function printUsageError({ message }: CommanderError, words: readonly string[]): Promise<void> {
  const [{ printError }, { usageError }] = await Promise.all([
    import("./frame/print-error.ts"),
    import("./frame/usage-error.ts"),
  ]);
  // These two options apply to the error output even if parsing failed.
  const globals = { json: words.includes("--json"), debug: words.includes("--debug") };
  printError(usageError(message), commandIn(words), globals);
}

/** Returns the longest prefix of the words that is a command. */
function commandIn(words: readonly string[]): string {
  const path: string[] = [];
  let commands: readonly CommandSpec[] = COMMANDS;
  for (const word of words.filter((each) => !each.startsWith("-"))) {
    const found = commands.find(({ name }) => name === word);
    if (found === undefined) break;
    path.push(word);
    commands = found.commands ?? [];
  }
  return path.join(" ");
}
