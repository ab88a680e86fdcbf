/** A request that the `datetime` tool can't answer; the message tells the model what to write instead. */
export class DateTimeError extends Error {
  override readonly name = "DateTimeError";
}
