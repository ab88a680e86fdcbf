/** Why an expression has no value. */
export type CalculatorErrorCode =
  | "invalid_type"
  | "input_too_long"
  | "too_complex"
  | "syntax"
  | "unknown_identifier"
  | "arity"
  | "division_by_zero"
  | "domain"
  | "type"
  | "unit"
  | "overflow";

/** The only error that a calculation throws. */
export class CalculatorError extends Error {
  override readonly name = "CalculatorError";
  readonly code: CalculatorErrorCode;

  /** @param message - for the model: what is wrong and, where it helps, what to write instead. */
  constructor(code: CalculatorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
