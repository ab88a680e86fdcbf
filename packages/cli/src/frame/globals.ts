/** The options of every command. */
export interface GlobalOptions {
  readonly url?: string;
  readonly apiKeyFile?: string;
  readonly profile?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** False if `--no-input` is set. */
  readonly input?: boolean;
  readonly yes?: boolean;
  /** False if `--no-color` is set. */
  readonly color?: boolean;
  readonly timeout?: string;
  readonly debug?: boolean;
}
