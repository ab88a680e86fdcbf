import type { CreateAgent, CreateToolSource } from "@yagate/protocol";

/** An OpenAPI document in a file as a tool source. */
export type FileSource = Omit<
  Extract<CreateToolSource, { kind: "openapi" }>,
  "url" | "document" | "documents" | "documentName"
> & {
  /** The document, relative to the configuration file. Files that it refers to are read too. */
  readonly file: string;
};

/** An MCP server that `yagate dev` starts as a command, as a tool source. */
export type CommandSource = Omit<Extract<CreateToolSource, { kind: "mcp" }>, "url" | "auth"> & {
  /**
   * The program: a name on the `PATH`, or a path relative to `cwd`. It speaks MCP over its standard input and output.
   */
  readonly command: string;
  /** The arguments of the program. Default: none. */
  readonly args?: readonly string[];
  /** The working directory, relative to the configuration file. Default: the directory of the configuration file. */
  readonly cwd?: string;
  /**
   * Variables for the program. It gets no others of this process except `HOME`, `LOGNAME`, `PATH`, `SHELL`, `TERM` and
   * `USER`, or their counterparts on Windows. Default: none.
   */
  readonly env?: Readonly<Record<string, string>>;
};

/** What `yagate dev` reads from `yagate.config.ts`. */
export interface YagateConfig {
  /** Port to listen on: 0 to 65,535; 0 selects a free one. Default: 4820, or the next free one. */
  readonly port?: number;
  /**
   * Directory for the gateway's data, relative to the configuration file. Default: `.yagate` in the current directory.
   */
  readonly dataDir?: string;
  /** Whether to keep a demo agent. Default true. */
  readonly demo?: boolean;
  /** The tool sources that `yagate dev` keeps up to date, with the fields of `POST /v1/tool-sources`. Default: none. */
  readonly sources?: readonly (CreateToolSource | FileSource | CommandSource)[];
  /**
   * The agents that `yagate dev` keeps up to date, with the fields of `POST /v1/agents`. `tool` may be the name of a
   * workspace tool.
   */
  readonly agents?: readonly CreateAgent[];
}

/**
 * Returns the configuration as it is, so that an editor checks its fields.
 *
 * @example
 * export default defineConfig({ agents: [{ name: "Desk", model: "scripted/keyword" }] });
 */
export function defineConfig(config: YagateConfig): YagateConfig {
  return config;
}
