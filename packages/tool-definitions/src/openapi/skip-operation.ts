/** Thrown for an operation that can't be converted to a definition. The import continues with the others. */
export class SkipOperation extends Error {
  override readonly name = "SkipOperation";
  /** JSON pointer to the cause in the document. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}
