import { type Command, Option } from "commander";

/** Where signing secrets come from, as the command line says. */
export interface SecretSources {
  /** Names of environment variables. */
  readonly secretEnv?: readonly string[];
  /** Paths of files that hold one secret each. */
  readonly secretFile?: readonly string[];
  /** Whether one is read from standard input. */
  readonly secretStdin?: boolean;
  /** Given although there is no such option in the help: never used, only refused with advice. */
  readonly secret?: string;
}

/** The variable that is read when no option names a source. */
export const DEFAULT_SECRET_VARIABLE = "YAGATE_SIGNING_SECRET";

/** Gives a command the options of {@link SecretSources}. None takes a secret itself: arguments are seen by others. */
export function addSecretSources(command: Command): Command {
  return command
    .option("--secret-env <name>", `variable that holds the signing secret (default: ${DEFAULT_SECRET_VARIABLE})`, add)
    .option("--secret-file <file>", "file that holds it", add)
    .option("--secret-stdin", "read it from standard input")
    .addOption(new Option("--secret <value>").hideHelp());
}

/** For options that may be given several times. */
export function add(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** For the help of each command that needs a secret. */
export const SECRET_HELP = `The signing secret is never an argument: arguments end up in the history of the shell and in the list of processes.
Without an option it is read from ${DEFAULT_SECRET_VARIABLE}, or asked for when this is a terminal.`;
