/** Why a text is no path. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
  /** Where in the text, from 0, in UTF-16 code units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}
