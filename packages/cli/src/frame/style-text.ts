import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Turns off colours for the complete process. Otherwise, FORCE_COLOR would override NO_COLOR. */
export function turnOffColors(): void {
  process.env["NO_COLOR"] = "1";
  delete process.env["FORCE_COLOR"];
}

/**
 * Colours a text for a stream, unless the stream is not a terminal or `NO_COLOR` is set; `FORCE_COLOR` always colours.
 *
 * @param text - must already be sanitised, because escape sequences are not removed.
 */
export function styled(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream });
}
