import type { CommandSpec, Given } from "../frame/command-spec.ts";
import { GLOBAL_OPTIONS } from "../frame/global-options.ts";

type Words = readonly (readonly [path: string, words: readonly string[]])[];

const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

/**
 * Prints a completion script for a shell. The script contains every command and option, so completing starts no
 * process.
 */
export async function printCompletion(shell: string, { commands, globals }: Given): Promise<void> {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell]?.(wordsByCommand(commands)) : undefined;
  if (script === undefined) {
    const { usageError } = await import("../frame/usage-error.ts");
    throw usageError("expected the shell to be one of bash, zsh, fish");
  }
  console.log(globals.json ? JSON.stringify({ shell, script }, null, 2) : script);
}

/** Returns the completions after each command path: `""`, `agents`, `agents list`. */
function wordsByCommand(commands: readonly CommandSpec[]): Words {
  const root = [...commands.map(({ name }) => name), ...flagsOf([])];
  return [["", root], ...commands.flatMap((spec) => below(spec, spec.name))];
}

function below(spec: CommandSpec, path: string): Words {
  const { commands = [] } = spec;
  const words = [...commands.map(({ name }) => name), ...flagsOf(spec.options ?? [])];
  return [[path, words], ...commands.flatMap((child) => below(child, `${path} ${child.name}`))];
}

function flagsOf(options: NonNullable<CommandSpec["options"]>): readonly string[] {
  return [...options, ...GLOBAL_OPTIONS]
    .filter(({ isHidden = false }) => !isHidden)
    .map(({ flags }) => /--[\w-]+/.exec(flags)?.[0] ?? "")
    .concat("--help");
}

/**
 * Creates the script for bash. Only words that are commands determine the completions; options and values are skipped.
 */
function bash(byCommand: Words): string {
  const cases = byCommand.map(([path, words]) => `    "${path}") words="${words.join(" ")}" ;;`);
  const known = byCommand.flatMap(([path]) => (path === "" ? [] : [`"${path}"`]));
  return `# yagate completion for bash
_yagate() {
  local path="" next word words="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    next="\${path:+$path }$word"
    case "$next" in
      ${known.join("|")}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _yagate yagate`;
}

/** Creates the script for zsh, which can run the functions of bash. */
function zsh(byCommand: Words): string {
  return `#compdef yagate
autoload -U +X bashcompinit && bashcompinit
${bash(byCommand)}`;
}

function fish(byCommand: Words): string {
  const lines = byCommand.map(([path, words]) => {
    const condition =
      path === ""
        ? "__fish_use_subcommand"
        : path
            .split(" ")
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join("; and ");
    return `complete -c yagate -n '${condition}' -a '${words.join(" ")}'`;
  });
  return ["# yagate completion for fish", ...lines].join("\n");
}
