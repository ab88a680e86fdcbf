/** What exists for the commands of a page to use. */
export interface KnownCommands {
  /** Programs that a page may expect on the reader's machine. */
  readonly programs: readonly string[];
  /** The root manifest's scripts. */
  readonly scripts: readonly string[];
  /** The packages that are published from here. */
  readonly packages: readonly string[];
  /** The commands of `yagate`. */
  readonly yagate: readonly string[];
}

/** Programs that `npm ci` or the page provides. npx would look for any other name in a registry. */
const INSTALLED = ["node", "openapi-typescript"];

const NPM_COMMANDS = ["ci", "install", "init", "pkg", "exec", "test", "run", "pack"];

/** What is wrong with a command, given as its words; `undefined` when all that it names exists. */
export function shellProblem(words: readonly string[], known: KnownCommands): string | undefined {
  const [program = "", ...rest] = words;
  const named = rest.filter((word) => !word.startsWith("-"));
  if (program === "npm") return npmProblem(named, known);
  if (program === "npx") return npxProblem(named, known);
  if (program === "yagate") return "yagate is not on the path of each reader: write npx @yagate/cli";
  return known.programs.includes(program) ? undefined : `there is no command "${program}"`;
}

function npmProblem([command = "", ...named]: readonly string[], known: KnownCommands): string | undefined {
  if (!NPM_COMMANDS.includes(command)) return `there is no command "npm ${command}" that a page needs`;
  if (command === "run" && !known.scripts.includes(named[0] ?? "")) return `there is no script "${named[0]}"`;
  if (command === "exec") return shellProblem(named, { ...known, programs: INSTALLED });
  const missing = named.find((name) => name.startsWith("@yagate/") && !known.packages.includes(name));
  return missing === undefined ? undefined : `there is no package ${missing}`;
}

function npxProblem([name = "", ...rest]: readonly string[], known: KnownCommands): string | undefined {
  if (name === "yagate") return "npx yagate runs a stranger's package outside of a project: write npx @yagate/cli";
  if (name === "@yagate/cli") return yagateProblem(rest, known);
  return shellProblem([name, ...rest], { ...known, programs: INSTALLED });
}

function yagateProblem([command]: readonly string[], known: KnownCommands): string | undefined {
  if (command === undefined || known.yagate.includes(command)) return undefined;
  return `there is no command "yagate ${command}"`;
}
