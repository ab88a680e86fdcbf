import type { OptionSpec } from "../frame/command-spec.ts";

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

const GROUP = "Signing secret";

/** The options of {@link SecretSources}. None takes a secret itself: arguments are seen by others. */
export const SECRET_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--secret-env <name>",
    group: GROUP,
    text: `variable that holds the signing secret; may be repeated (default: ${DEFAULT_SECRET_VARIABLE})`,
    isRepeatable: true,
  },
  {
    flags: "--secret-file <file>",
    group: GROUP,
    text: "file that holds the signing secret; may be repeated",
    isRepeatable: true,
  },
  { flags: "--secret-stdin", group: GROUP, text: "read the signing secret from standard input" },
  { flags: "--secret <value>", group: GROUP, text: "refused", isHidden: true },
];

/** For the help of each command that needs a secret. */
export const SECRET_NOTE = `The signing secret is never an argument: arguments end up in the history of the shell and in the list of processes. Without an option it is read from ${DEFAULT_SECRET_VARIABLE}, or asked for on a terminal.`;
