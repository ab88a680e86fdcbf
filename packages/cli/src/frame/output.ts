import { toVisibleLine, toVisibleText, type Warning } from "@yagate/protocol";

/** Where a command prints: its result on standard output, everything else on standard error. */
export class Output {
  readonly isJson: boolean;
  readonly #isQuiet: boolean;

  constructor({ json = false, quiet = false }: { readonly json?: boolean; readonly quiet?: boolean }) {
    this.isJson = json;
    this.#isQuiet = quiet;
  }

  /** The result: one document with `--json`. The text of people is only made when it is printed. */
  result(document: unknown, text: () => string): void {
    console.log(this.isJson ? toVisibleText(JSON.stringify(document, null, 2)) : text());
  }

  /** A result that is JSON for people, too. */
  document(document: unknown): void {
    this.result(document, () => toVisibleText(JSON.stringify(document, null, 2)));
  }

  /** One entry of a stream: one object a line with `--json`. */
  line(entry: unknown, text: () => string): void {
    console.log(this.isJson ? toVisibleLine(JSON.stringify(entry)) : text());
  }

  /** That something was done. `--quiet` leaves it out. */
  done(document: unknown, text: string): void {
    if (this.isJson || !this.#isQuiet) this.result(document, () => toVisibleLine(text));
  }

  /** What is good to know and not the result, on standard error. `--quiet` leaves it out. */
  note(text: string): void {
    if (!this.#isQuiet) console.error(text);
  }

  /** What was saved and is probably not meant; in the document with `--json`. */
  warnings(warnings: readonly Warning[] = [], indent = "  "): void {
    if (this.isJson) return;
    for (const { code, severity, path, message } of warnings) {
      this.note(`${indent}${toVisibleLine(`${severity} ${code} ${path}: ${message}`)}`);
    }
  }
}
