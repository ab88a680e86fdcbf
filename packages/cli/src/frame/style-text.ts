import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** For the whole process. FORCE_COLOR would win over NO_COLOR. */
export function turnOffColors(): void {
  process.env["NO_COLOR"] = "1";
  delete process.env["FORCE_COLOR"];
}

/**
 * Colours a text for a stream, unless the stream is no terminal or `NO_COLOR` is set; `FORCE_COLOR` colours it anyway.
 *
 * @param text - already made visible: escape sequences in it are not looked for.
 */
export function styled(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream });
}
