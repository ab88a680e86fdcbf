import type { OptionValues } from "commander";
import type { GlobalOptions } from "./globals.ts";
import type { Invocation } from "./invocation.ts";

/** An option of one command or of all commands. */
export interface OptionSpec {
  /** In commander's syntax: `-p, --port <port>`. */
  readonly flags: string;
  readonly text: string;
  readonly isRepeatable?: boolean;
  readonly isRequired?: boolean;
  /** Whether the option is accepted only to be rejected with advice. */
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
  /** Whether the output is one object per line instead of one document. */
  readonly isStream?: boolean;
}

/** What a command receives. */
export interface Given {
  /**
   * The arguments, in the order of {@link CommandSpec.arguments}, followed by the values of a variadic last argument.
   */
  readonly args: readonly string[];
  readonly options: OptionValues;
  readonly globals: GlobalOptions;
  /** All commands, for commands that explain others. */
  readonly commands: readonly CommandSpec[];
  /** Loads the parts that commands share: output, terminal, client. `yagate help` does not need them. */
  open(): Promise<Invocation>;
}

/** The description of one command: its input, its help, and a function that loads its code. */
export interface CommandSpec {
  readonly name: string;
  /** One sentence, without a period. */
  readonly summary: string;
  /** The heading in `yagate --help` under which a top-level command is listed. */
  readonly group?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Each example works as written if the objects in it exist. */
  readonly examples: readonly string[];
  /** Paragraphs after the options. */
  readonly notes?: readonly string[];
  /** The scopes that the API key needs; absent if no key is needed. */
  readonly scopes?: readonly string[];
  /** Exit statuses that have a specific meaning for this command. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** The page in `docs/` that explains the command. */
  readonly page?: string;
  readonly output?: OutputSpec;
  /** Maps fields of the API to options, for error messages. */
  readonly fieldOptions?: Readonly<Record<string, string>>;
  /** Whether the command itself handles `--timeout`. Otherwise, the command is aborted after that time. */
  readonly keepsTimeout?: boolean;
  /** Whether the command itself handles SIGINT and SIGTERM. */
  readonly handlesSignals?: boolean;
  /** Whether `run` itself rejects surplus arguments. */
  readonly allowsExcess?: boolean;
  /** Loads the module and runs the command. */
  readonly run?: (given: Given) => Promise<void>;
  readonly commands?: readonly CommandSpec[];
}
