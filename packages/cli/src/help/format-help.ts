import { withCommandName } from "../command-name.ts";
import { GROUPS } from "../commands/groups.ts";
import type { CommandSpec, OptionSpec } from "../frame/command-spec.ts";
import { docsUrl } from "../frame/docs-url.ts";
import { GLOBAL_OPTIONS } from "../frame/global-options.ts";
import { type Row, section, wrapped } from "./layout.ts";
import { pageOf } from "./page-of.ts";

const HELP_OPTION: OptionSpec = { flags: "-h, --help", text: "print this help" };
const OPTIONS = "Options";

/** Returns the output of `yagate --help`. */
export function programHelp(commands: readonly CommandSpec[]): string {
  const groups = Object.values(GROUPS).map((group) =>
    section(
      group,
      commands.filter((command) => command.group === group).map(({ name, summary }): Row => [name, summary]),
    ),
  );
  return join([
    "Run LLM agents whose tools are signed webhooks.",
    "Usage: yagate <command> [options]",
    examples(["yagate dev", 'yagate exec "Order desk" "Where is ORD-7?"', "yagate executions list --status failed"]),
    ...groups,
    ...optionSections([{ flags: "-V, --version", text: "print the version" }]),
    wrapped("yagate help <command> explains a command; yagate help exit-codes, environment and json explain the rest."),
    `Docs: ${docsUrl("cli")}`,
  ]);
}

/** Returns the output of `--help` for a command: a sentence, examples, then arguments and options by group. */
export function commandHelp(spec: CommandSpec, path: readonly string[]): string {
  const { summary, commands = [], notes = [], scopes, statuses = {} } = spec;
  const scopeNote =
    scopes === undefined
      ? []
      : [`The API key needs the ${scopes.length === 1 ? "scope" : "scopes"} ${scopes.join(" and ")}.`];
  return join([
    `${summary}.`,
    `Usage: yagate ${usageOf(spec, path)}`,
    examples(spec.examples),
    section(
      "Commands",
      commands.map((command): Row => [signatureOf(command), command.summary]),
    ),
    section(
      "Arguments",
      (spec.arguments ?? []).map(({ name, text }): Row => [name, text]),
    ),
    ...optionSections(spec.options ?? []),
    ...[...notes, ...scopeNote].map(wrapped),
    section(
      "Exit status",
      Object.entries(statuses).map(([status, meaning]): Row => [status, meaning]),
    ),
    `Docs: ${docsUrl(...pageOf(spec, path))}`,
  ]);
}

/** Returns the synopsis of a command. */
export function usageOf(spec: CommandSpec, path: readonly string[]): string {
  const { run, commands = [], options = [] } = spec;
  const forms = [
    ...(run === undefined
      ? []
      : [[signatureOf({ ...spec, name: path.join(" ") }), ...(options.length > 0 ? ["[options]"] : [])]]),
    ...(commands.length === 0 ? [] : [[path.join(" "), "<command>", "[options]"]]),
  ];
  return forms.map((words) => words.join(" ")).join("\n       yagate ");
}

export function signatureOf({ name, arguments: parameters = [] }: CommandSpec): string {
  return [name, ...parameters.map((parameter) => parameter.name)].join(" ");
}

/** Returns the options by group, starting with those of the command. */
function optionSections(own: readonly OptionSpec[]): readonly string[] {
  const all = [...own.filter(({ isHidden = false }) => !isHidden), HELP_OPTION, ...GLOBAL_OPTIONS];
  const groups = new Set([OPTIONS, ...all.map(({ group = OPTIONS }) => group)]);
  return [...groups].map((heading) =>
    section(
      heading,
      all.filter(({ group = OPTIONS }) => group === heading).map(({ flags, text }): Row => [flags, text]),
    ),
  );
}

/** Formats examples so that they can be copied. */
function examples(lines: readonly string[]): string {
  const runnable = lines.map((line) => `  ${withCommandName(line)}`);
  return runnable.length === 0 ? "" : ["Examples:", ...runnable].join("\n");
}

function join(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
