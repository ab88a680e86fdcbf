/** Thrown for an operation that can't become a definition; the import continues with the others. */
export class SkipOperation extends Error {
  override readonly name = "SkipOperation";
  /** JSON pointer of the place in the document. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}
