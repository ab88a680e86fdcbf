/** The options of every command. */
export interface GlobalOptions {
  readonly url?: string;
  readonly apiKeyFile?: string;
  readonly profile?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** False with `--no-input`. */
  readonly input?: boolean;
  readonly yes?: boolean;
  /** False with `--no-color`. */
  readonly color?: boolean;
  readonly timeout?: string;
  readonly debug?: boolean;
}
