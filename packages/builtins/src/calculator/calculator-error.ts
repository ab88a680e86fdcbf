/** The reasons why an expression has no value. */
export const CALCULATOR_ERROR_CODES = [
  "INVALID_TYPE",
  "INPUT_TOO_LONG",
  "TOO_COMPLEX",
  "SYNTAX",
  "UNKNOWN_IDENTIFIER",
  "ARITY",
  "DIVISION_BY_ZERO",
  "DOMAIN",
  "TYPE",
  "UNIT",
  "OVERFLOW",
] as const;
export type CalculatorErrorCode = (typeof CALCULATOR_ERROR_CODES)[number];

/** The only error that a calculation throws. */
export class CalculatorError extends Error {
  override readonly name = "CalculatorError";
  readonly code: CalculatorErrorCode;
  /** What the model can do next, if the usual hint for the code does not fit. */
  readonly hint: string | undefined;

  /** @param message - text for the model: what is wrong and, where it helps, what to write instead. */
  constructor(code: CalculatorErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
