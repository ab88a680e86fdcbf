import { COMMANDS } from "../../packages/cli/src/commands/commands.ts";
import type { CommandSpec, OptionSpec } from "../../packages/cli/src/frame/command-spec.ts";
import { STATUS_MEANINGS } from "../../packages/cli/src/frame/exit-status.ts";
import { GLOBAL_OPTIONS } from "../../packages/cli/src/frame/global-options.ts";
import { signatureOf } from "../../packages/cli/src/help/format-help.ts";

type Row = readonly string[];

/** Writes docs/cli-reference.md, which contains the help of all commands. */
export function referencePage(): string {
  return `${[
    "# Command reference",
    "[The command line](cli.md) explains what all commands have in common. This page is generated from the program: `NODE_OPTIONS=--conditions=@yagate/source npx node scripts/write-cli-pages.ts` writes it.",
    table(
      ["command", "what it does"],
      COMMANDS.map(({ name, summary }) => [`[\`yagate ${name}\`](#yagate-${name})`, `${summary}.`]),
    ),
    "## Options of every command",
    optionTable(GLOBAL_OPTIONS),
    "## Exit status of every command",
    statusTable(STATUS_MEANINGS),
    ...COMMANDS.flatMap((spec) => commandParts(spec, [spec.name])),
  ].join("\n\n")}\n`;
}

function commandParts(spec: CommandSpec, path: readonly string[]): readonly string[] {
  const { commands = [], notes = [], scopes = [], statuses, output, examples } = spec;
  const command = path.join(" ");
  const parameters = (spec.arguments ?? []).map(({ name, text }): Row => [`\`${name}\``, text]);
  const options = (spec.options ?? []).filter(({ isHidden = false }) => !isHidden);
  return [
    `${"#".repeat(path.length + 1)} yagate ${command}`,
    `${spec.summary}.${spec.page === undefined ? "" : ` See [${titleOf(spec.page)}](${linkTo(spec.page)}).`}`,
    // Examples of a group are those of its commands.
    ...(commands.length > 0 && spec.run === undefined
      ? []
      : [`\`yagate ${signatureOf({ ...spec, name: command })}\``, sh(examples)]),
    ...(parameters.length === 0 ? [] : [table(["argument", "meaning"], parameters)]),
    ...(options.length === 0 ? [] : [optionTable(options)]),
    ...notes.map(escaped),
    ...(scopes.length === 0 || (commands.length > 0 && spec.run === undefined)
      ? []
      : [
          `The API key needs the ${scopes.length === 1 ? "scope" : "scopes"} ${scopes.map((scope) => `\`${scope}\``).join(" and ")}.`,
        ]),
    ...(output === undefined
      ? []
      : [
          `\`--json\` prints ${output.isStream === true ? `one \`${output.schema}\` a line` : `${/^[AEIO]/.test(output.schema) ? "an" : "a"} \`${output.schema}\``}.`,
        ]),
    ...(statuses === undefined ? [] : [statusTable(statuses)]),
    ...commands.flatMap((child) => commandParts(child, [...path, child.name])),
  ];
}

function optionTable(options: readonly OptionSpec[]): string {
  return table(
    ["option", "meaning"],
    options.map(({ flags, text }) => [`\`${flags}\``, escaped(text)]),
  );
}

function statusTable(statuses: Readonly<Record<number, string>>): string {
  return table(
    ["status", "meaning"],
    Object.entries(statuses).map(([status, meaning]) => [status, escaped(meaning)]),
  );
}

function table(heading: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The examples run for every reader, also for those who have not installed the command. */
function sh(lines: readonly string[]): string {
  const runnable = lines.map((line) => line.replaceAll(/(?<![\w@/-])yagate(?= [a-z])/g, "npx @yagate/cli"));
  return ["```sh", ...runnable, "```"].join("\n");
}

/** Characters with a meaning in Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[*<>]/g, "\\$&").replaceAll(/\b_(?=\s|$)/g, "\\_");
}

function titleOf(page: string): string {
  const [name = page] = page.split("#");
  return name.replaceAll("-", " ");
}

function linkTo(page: string): string {
  return page.replace(/^[^#]+/, "$&.md");
}
