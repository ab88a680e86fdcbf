/** A JSON syntax error at an offset; used only within a scan. */
export class SyntaxFault extends Error {
  override readonly name = "SyntaxFault";
  /** Offset in UTF-16 code units, starting at 0. */
  readonly offset: number;
  /** What would have been valid at the offset. */
  readonly expected: string;
  /** What the text contains at the offset; absent if the character there describes it well enough. */
  readonly found: string | undefined;
  readonly hint: string | undefined;

  constructor(
    offset: number,
    expected: string,
    more: { readonly found?: string; readonly hint?: string | undefined } = {},
  ) {
    super(`expected ${expected}`);
    this.offset = offset;
    this.expected = expected;
    this.found = more.found;
    this.hint = more.hint;
  }
}
