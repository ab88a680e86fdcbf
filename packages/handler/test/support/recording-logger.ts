import type { LogFields, Logger } from "../../src/index.ts";

export interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

/** A logger that remembers what it was told. */
export function createRecordingLogger(): Logger & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const write = (level: keyof Logger) => (message: string, fields?: LogFields) => {
    lines.push({ level, message, fields });
  };
  return { lines, debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
