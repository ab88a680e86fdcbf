/** Where a text stops being JSON. Thrown inside a scan. */
export class SyntaxFault extends Error {
  override readonly name = "SyntaxFault";
  /** In UTF-16 units, from 0. */
  readonly offset: number;
  /** What could have stood there. */
  readonly expected: string;
  /** What stands there instead, where that says more than its first character. */
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
