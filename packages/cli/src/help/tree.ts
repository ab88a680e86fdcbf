import { defined } from "@yagate/lib/objects/defined";
import type { CommandSpec, OptionSpec } from "../frame/command-spec.ts";
import { docsUrl } from "../frame/docs-url.ts";
import { STATUS_MEANINGS } from "../frame/exit-status.ts";
import { GLOBAL_OPTIONS } from "../frame/global-options.ts";
import { packageVersion } from "../package-version.ts";
import { signatureOf } from "./format-help.ts";
import { pageOf } from "./page-of.ts";

/** Returns all commands as `yagate help --json` prints them. */
export function commandTree(commands: readonly CommandSpec[]) {
  return {
    name: "yagate",
    version: packageVersion(),
    globalOptions: GLOBAL_OPTIONS.map(describeOption),
    exitStatuses: STATUS_MEANINGS,
    commands: commands.map((spec) => describeCommand(spec, [spec.name])),
  };
}

export interface DescribedCommand {
  readonly command: string;
  readonly usage: string;
  readonly summary: string;
  readonly group?: string;
  readonly arguments: readonly { readonly name: string; readonly text: string }[];
  readonly options: readonly ReturnType<typeof describeOption>[];
  readonly examples: readonly string[];
  readonly notes: readonly string[];
  readonly scopes: readonly string[];
  readonly exitStatuses: Readonly<Record<number, string>>;
  readonly output: { readonly $ref: string; readonly isStream: boolean } | null;
  readonly docs: string;
  readonly commands: readonly DescribedCommand[];
}

export function describeCommand(spec: CommandSpec, path: readonly string[]): DescribedCommand {
  const {
    summary,
    group,
    options = [],
    examples,
    notes = [],
    scopes = [],
    statuses = {},
    output,
    commands = [],
  } = spec;
  const command = path.join(" ");
  return {
    command,
    usage: `yagate ${signatureOf({ ...spec, name: command })}`,
    summary,
    ...defined({ group }),
    arguments: spec.arguments ?? [],
    options: options.filter(({ isHidden = false }) => !isHidden).map(describeOption),
    examples,
    notes,
    scopes,
    exitStatuses: statuses,
    output: output === undefined ? null : { $ref: `#/$defs/${output.schema}`, isStream: output.isStream ?? false },
    docs: docsUrl(...pageOf(spec, path)),
    commands: commands.map((child) => describeCommand(child, [...path, child.name])),
  };
}

function describeOption({ flags, text, isRepeatable = false, isRequired = false }: OptionSpec) {
  return { flags, text, isRepeatable, isRequired };
}
