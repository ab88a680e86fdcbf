import { toVisibleLine, toVisibleText, type Warning } from "@yagate/protocol";

/** The output of a command: its result on standard output, everything else on standard error. */
export class Output {
  readonly isJson: boolean;
  readonly #isQuiet: boolean;

  constructor({ json = false, quiet = false }: { readonly json?: boolean; readonly quiet?: boolean }) {
    this.isJson = json;
    this.#isQuiet = quiet;
  }

  /** The result: one document with `--json`. The text for people is only created when it is printed. */
  result(document: unknown, text: () => string): void {
    console.log(this.isJson ? toVisibleText(JSON.stringify(document, null, 2)) : text());
  }

  /** A result that is JSON in both modes. */
  document(document: unknown): void {
    this.result(document, () => toVisibleText(JSON.stringify(document, null, 2)));
  }

  /** One entry of a stream: one object per line with `--json`. */
  line(entry: unknown, text: () => string): void {
    console.log(this.isJson ? toVisibleLine(JSON.stringify(entry)) : text());
  }

  /** Confirms an action. `--quiet` omits it. */
  done(document: unknown, text: string): void {
    if (this.isJson || !this.#isQuiet) this.result(document, () => toVisibleLine(text));
  }

  /** Additional information on standard error. `--quiet` omits it. */
  note(text: string): void {
    if (!this.#isQuiet) console.error(text);
  }

  /** Warnings about saved resources; part of the document with `--json`. */
  warnings(warnings: readonly Warning[] = [], indent = "  "): void {
    if (this.isJson) return;
    for (const { code, severity, path, message } of warnings) {
      this.note(`${indent}${toVisibleLine(`${severity} ${code} ${path}: ${message}`)}`);
    }
  }
}
