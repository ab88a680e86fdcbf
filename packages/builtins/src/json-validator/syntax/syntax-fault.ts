/** A JSON syntax error at an offset. Internal to a scan. */
export class SyntaxFault extends Error {
  override readonly name = "SyntaxFault";
  /** In UTF-16 units, from 0. */
  readonly offset: number;
  /** What would have been valid there. */
  readonly expected: string;
  /** What is there instead, if that is more useful than its first character. */
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
