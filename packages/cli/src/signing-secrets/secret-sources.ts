import type { OptionSpec } from "../frame/command-spec.ts";

/** Sources of signing secrets, as set on the command line. */
export interface SecretSources {
  /** Names of environment variables. */
  readonly secretEnv?: readonly string[];
  /** Paths of files that contain one secret each. */
  readonly secretFile?: readonly string[];
  /** Whether to read a secret from standard input. */
  readonly secretStdin?: boolean;
  /** Not shown in the help. It is always rejected, with advice. */
  readonly secret?: string;
}

/** The variable that is used if no option sets a source. */
export const DEFAULT_SECRET_VARIABLE = "YAGATE_SIGNING_SECRET";

const GROUP = "Signing secret";

/**
 * The options for {@link SecretSources}. None of them takes the secret itself, because other users can see arguments.
 */
export const SECRET_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--secret-env <name>",
    group: GROUP,
    text: `variable that contains the signing secret; may be repeated (default: ${DEFAULT_SECRET_VARIABLE})`,
    isRepeatable: true,
  },
  {
    flags: "--secret-file <file>",
    group: GROUP,
    text: "file that contains the signing secret; may be repeated",
    isRepeatable: true,
  },
  { flags: "--secret-stdin", group: GROUP, text: "read the signing secret from standard input" },
  { flags: "--secret <value>", group: GROUP, text: "refused", isHidden: true },
];

/** A help text for every command that needs a signing secret. */
export const SECRET_NOTE = `The signing secret is never an argument: arguments end up in the history of the shell and in the list of processes. Without an option, it is read from ${DEFAULT_SECRET_VARIABLE} or from a prompt that does not show it.`;
