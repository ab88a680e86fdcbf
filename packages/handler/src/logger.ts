/** The fields of a log line: ids, codes, counts. They never contain a secret, a signature or a value from a payload. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the kit and the tools log to. Any logger can be adapted with four one-line functions. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The default logger: warnings and errors go to the console, everything else is dropped. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  // biome-ignore lint/suspicious/noConsole: the default logger, used if the application passes none
  warn: (message, fields) => console.warn(`[yagate] ${message}`, fields ?? ""),
  // biome-ignore lint/suspicious/noConsole: see above
  error: (message, fields) => console.error(`[yagate] ${message}`, fields ?? ""),
};

/** Returns a logger that adds fields to each line. If the logger fails, the call is not affected. */
export function bindLogger(logger: Logger, bound: LogFields = {}): Logger {
  const write =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      try {
        logger[level](message, { ...bound, ...fields });
      } catch {
        // A tool that has run needs a response even if its log line cannot be written.
      }
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
