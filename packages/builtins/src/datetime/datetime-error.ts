/** Thrown for a request that the `datetime` tool cannot process. The message is for the model. */
export class DateTimeError extends Error {
  override readonly name = "DateTimeError";
  /** What the model can do next, if correcting the named field is not enough. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
