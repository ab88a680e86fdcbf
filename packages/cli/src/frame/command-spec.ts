import type { OptionValues } from "commander";
import type { GlobalOptions } from "./globals.ts";
import type { Invocation } from "./invocation.ts";

/** An option of one command, or of all of them. */
export interface OptionSpec {
  /** As commander reads it: `-p, --port <port>`. */
  readonly flags: string;
  readonly text: string;
  readonly isRepeatable?: boolean;
  readonly isRequired?: boolean;
  /** Accepted, so that it can be refused with advice. */
  readonly isHidden?: boolean;
  /** The heading in the help. Default: `Options`. */
  readonly group?: string;
}

export interface ArgumentSpec {
  /** As commander reads it: `<file>`, `[url]`, `<input...>`. */
  readonly name: string;
  readonly text: string;
}

/** What `--json` prints: a definition of `schemas/output.json`. */
export interface OutputSpec {
  readonly schema: string;
  /** One object a line instead of one document. */
  readonly isStream?: boolean;
}

/** What a command is run with. */
export interface Given {
  /** In the order of {@link CommandSpec.arguments}; those of the last one follow each other. */
  readonly args: readonly string[];
  readonly options: OptionValues;
  readonly globals: GlobalOptions;
  /** Every command, for those that explain the others. */
  readonly commands: readonly CommandSpec[];
  /** Loads what commands share: output, terminal, client. `yagate help` does without. */
  open(): Promise<Invocation>;
}

/** One command: what it takes, what its help says, and what it runs. It holds no code of its own. */
export interface CommandSpec {
  readonly name: string;
  /** One sentence, without a period. */
  readonly summary: string;
  /** A heading of `yagate --help`; for commands of the first level. */
  readonly group?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Each runs as it stands, given what it names. */
  readonly examples: readonly string[];
  /** Paragraphs below the options. */
  readonly notes?: readonly string[];
  /** The scopes that the API key needs; absent: no key. */
  readonly scopes?: readonly string[];
  /** Exit statuses that mean something of their own here. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** The page that explains it, below `docs/`. */
  readonly page?: string;
  readonly output?: OutputSpec;
  /** The options that fields of the API are called by in errors. */
  readonly fieldOptions?: Readonly<Record<string, string>>;
  /** Whether it keeps `--timeout` itself. Otherwise it is abandoned when the time is over. */
  readonly keepsTimeout?: boolean;
  /** Whether it ends itself on SIGINT and SIGTERM. */
  readonly handlesSignals?: boolean;
  /** Whether `run` refuses arguments beyond its own. */
  readonly allowsExcess?: boolean;
  /** Loads the module that does it, and runs that. */
  readonly run?: (given: Given) => Promise<void>;
  readonly commands?: readonly CommandSpec[];
}
