/** A request that the `datetime` tool can't process; the message is for the model. */
export class DateTimeError extends Error {
  override readonly name = "DateTimeError";
  /** What to do next, where it is more than correcting the named field. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
