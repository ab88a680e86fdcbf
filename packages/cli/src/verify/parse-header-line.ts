import { YagateError } from "@yagate/protocol";

const LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Parses `Name: value`.
 *
 * @throws YagateError `INVALID_REQUEST` without the line, which may contain a credential.
 */
export function parseHeaderLine(line: string, where: string): readonly [string, string] {
  const [, name, value] = LINE.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new YagateError("INVALID_REQUEST", `${where}: expected a header as "Name: value"`, {
      hint: `such as "X-YA-Signature: sha256=…"`,
    });
  }
  return [name, value];
}
