import type { OptionSpec } from "../frame/command-spec.ts";

/** Sources of signing secrets, from the command line. */
export interface SecretSources {
  /** Names of environment variables. */
  readonly secretEnv?: readonly string[];
  /** Paths of files with one secret each. */
  readonly secretFile?: readonly string[];
  /** Whether one is read from standard input. */
  readonly secretStdin?: boolean;
  /** Not in the help, and never used: rejected with advice. */
  readonly secret?: string;
}

/** The variable that is used when no option names a source. */
export const DEFAULT_SECRET_VARIABLE = "YAGATE_SIGNING_SECRET";

const GROUP = "Signing secret";

/** The options of {@link SecretSources}. None takes the secret itself, because others can see arguments. */
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

/** Help text for each command that needs a secret. */
export const SECRET_NOTE = `The signing secret is never an argument: arguments end up in the history of the shell and in the list of processes. Without an option it is read from ${DEFAULT_SECRET_VARIABLE}, or typed at a prompt.`;
