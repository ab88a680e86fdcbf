import type { OptionValues } from "commander";
import type { GlobalOptions } from "./globals.ts";
import type { Invocation } from "./invocation.ts";

/** An option of one command, or of all of them. */
export interface OptionSpec {
  /** In commander's syntax: `-p, --port <port>`. */
  readonly flags: string;
  readonly text: string;
  readonly isRepeatable?: boolean;
  readonly isRequired?: boolean;
  /** Accepted only to be rejected with advice. */
  readonly isHidden?: boolean;
  /** The heading in the help. Default: `Options`. */
  readonly group?: string;
}

export interface ArgumentSpec {
  /** In commander's syntax: `<file>`, `[url]`, `<input...>`. */
  readonly name: string;
  readonly text: string;
}

/** The output of `--json`: a definition of `schemas/output.json`. */
export interface OutputSpec {
  readonly schema: string;
  /** One object per line instead of one document. */
  readonly isStream?: boolean;
}

/** The input of a command. */
export interface Given {
  /** In the order of {@link CommandSpec.arguments}, followed by the values of a variadic last argument. */
  readonly args: readonly string[];
  readonly options: OptionValues;
  readonly globals: GlobalOptions;
  /** All commands, for those that explain the others. */
  readonly commands: readonly CommandSpec[];
  /** Loads what commands share: output, terminal, client. `yagate help` does not need it. */
  open(): Promise<Invocation>;
}

/** The description of one command: its input, its help, and a loader for its code. */
export interface CommandSpec {
  readonly name: string;
  /** One sentence, without a period. */
  readonly summary: string;
  /** A heading of `yagate --help`; for top-level commands. */
  readonly group?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Each runs as written if the things it names exist. */
  readonly examples: readonly string[];
  /** Paragraphs below the options. */
  readonly notes?: readonly string[];
  /** The scopes that the API key needs; absent: no key is needed. */
  readonly scopes?: readonly string[];
  /** Exit statuses with a specific meaning for this command. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** The page that explains it, below `docs/`. */
  readonly page?: string;
  readonly output?: OutputSpec;
  /** Maps fields of the API to options, for error messages. */
  readonly fieldOptions?: Readonly<Record<string, string>>;
  /** Whether it handles `--timeout` itself. Otherwise it is abandoned when the time is over. */
  readonly keepsTimeout?: boolean;
  /** Whether it handles SIGINT and SIGTERM itself. */
  readonly handlesSignals?: boolean;
  /** Whether `run` rejects surplus arguments itself. */
  readonly allowsExcess?: boolean;
  /** Loads the module and runs the command. */
  readonly run?: (given: Given) => Promise<void>;
  readonly commands?: readonly CommandSpec[];
}
