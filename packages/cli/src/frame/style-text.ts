import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/**
 * Colours a text for a stream, unless the stream is no terminal or `NO_COLOR` is set; `FORCE_COLOR` colours it anyway.
 *
 * @param text - already made visible: escape sequences in it are not looked for.
 */
export function styled(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream });
}
