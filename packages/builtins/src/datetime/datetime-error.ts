/** A request that the `datetime` tool can't answer; the message tells the model what is wrong. */
export class DateTimeError extends Error {
  override readonly name = "DateTimeError";
  /** What to do next, where it is more than correcting the field that the message names. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
