/** Thrown where no definition can be made of an operation; whatever else the document holds goes on. */
export class SkipOperation extends Error {
  override readonly name = "SkipOperation";
  /** JSON pointer of the place in the document. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}
