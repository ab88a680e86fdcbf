/** Checks whether a line matches. */
export type LineMatch = (line: string) => boolean;

/** The text of a configuration file, in which the lines of names and fields are looked up. */
export class ConfigText {
  readonly #file: string;
  readonly #lines: readonly string[];

  /** @param file - the path of the file as it is shown to the user. */
  constructor(file: string, text: string) {
    this.#file = file;
    this.#lines = text.split("\n");
  }

  /** Returns `<file>:<line>` for the first match that exactly one line has; only the file if no match is unique. */
  placeOf(matches: readonly LineMatch[]): string {
    for (const match of matches) {
      const [line, ...others] = this.#lines.flatMap((text, index) => (match(text) ? [index + 1] : []));
      if (line !== undefined && others.length === 0) return `${this.#file}:${line}`;
    }
    return this.#file;
  }
}

/** Finds where a field is set. */
export function settingOf(field: string): LineMatch {
  if (!/^\w+$/.test(field)) return () => false;
  const isSet = new RegExp(`(?:^|[{,\\s])["']?${field}["']?\\s*[:,]`);
  return (line) => isSet.test(line);
}

/** Finds a text in quotation marks. */
export function literalOf(text: string): LineMatch {
  return (line) => ['"', "'", "`"].some((mark) => line.includes(`${mark}${text}${mark}`));
}

/** Finds the name of an entry. */
export function nameSettingOf(name: string): LineMatch {
  const [isLiteral, isSet] = [literalOf(name), settingOf("name")];
  return (line) => isLiteral(line) && isSet(line);
}
