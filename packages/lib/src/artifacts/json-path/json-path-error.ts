/** Thrown if a text is not a valid path. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
  /** The offset in the text, from 0, in UTF-16 code units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}
