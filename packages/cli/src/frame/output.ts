import { toVisibleLine, toVisibleText, type Warning } from "@yagate/protocol";
import { withCommandName } from "../command-name.ts";

/** The output of a command: its result on standard output, everything else on standard error. */
export class Output {
  readonly isJson: boolean;
  readonly #isQuiet: boolean;

  constructor({ json = false, quiet = false }: { readonly json?: boolean; readonly quiet?: boolean }) {
    this.isJson = json;
    this.#isQuiet = quiet;
  }

  /** Prints the result: one document with `--json`. The text for people is created only if it is printed. */
  result(document: unknown, text: () => string): void {
    console.log(this.isJson ? toVisibleText(JSON.stringify(document, null, 2)) : text());
  }

  /** Prints a result that is JSON in both modes. */
  document(document: unknown): void {
    this.result(document, () => toVisibleText(JSON.stringify(document, null, 2)));
  }

  /** Prints one entry of a stream: one object per line with `--json`. */
  line(entry: unknown, text: () => string): void {
    console.log(this.isJson ? toVisibleLine(JSON.stringify(entry)) : text());
  }

  /** Prints a line that informs about work in progress, unless `--quiet` is set. */
  log(text: () => string): void {
    if (!this.#isQuiet) console.log(text());
  }

  /** Prints the confirmation of an action, unless `--quiet` is set. */
  done(document: unknown, text: string): void {
    if (this.isJson || !this.#isQuiet) this.result(document, () => toVisibleLine(text));
  }

  /** Prints additional information to standard error, unless `--quiet` is set. */
  note(text: string): void {
    if (!this.#isQuiet) console.error(text);
  }

  /** Prints warnings about saved resources. With `--json`, they are part of the document instead. */
  warnings(warnings: readonly Warning[] = [], indent = "  "): void {
    if (this.isJson) return;
    for (const { code, severity, path, message } of warnings) {
      this.note(`${indent}${toVisibleLine(`${severity} ${code} ${path}: ${withCommandName(message)}`)}`);
    }
  }
}
