/** The fields of a log line: ids, codes, counts. They never contain a secret, a signature or a value from a payload. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the kit and the tools write their log. Any logger can be adapted with four one-line functions. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The default logger: writes warnings and errors to the console and drops everything else. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  // biome-ignore lint/suspicious/noConsole: the default logger, used if the application passes none
  warn: (message, fields) => console.warn(`[yagate] ${message}`, fields ?? ""),
  // biome-ignore lint/suspicious/noConsole: see above
  error: (message, fields) => console.error(`[yagate] ${message}`, fields ?? ""),
};

/** Returns a logger that adds fields to each line. If the logger throws, the call is not affected. */
export function bindLogger(logger: Logger, bound: LogFields = {}): Logger {
  const write =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      try {
        logger[level](message, { ...bound, ...fields });
      } catch {
        // If a tool has run, its response must be sent even if the log line cannot be written.
      }
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
