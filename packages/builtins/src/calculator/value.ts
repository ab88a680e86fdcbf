import { CalculatorError } from "./calculator-error.ts";
import { type Decimal, fromInteger } from "./decimal.ts";

/** The format of an amount of money. */
export interface Currency {
  /** ISO 4217 code such as `EUR`; absent if only the number of decimal places was given. */
  readonly code?: string;
  /** Digits after the point. */
  readonly digits: number;
}

/** Properties of a value. Calculations with the value drop them. */
export interface ValueTraits {
  readonly unit?: string;
  readonly currency?: Currency;
  /** Which interpretation was chosen for ambiguous input. */
  readonly note?: string;
  /** Whether the value was written with a percent sign: 100% is a rate, but a bare 1 could mean 1%. */
  readonly isPercentage?: boolean;
}

/** The value of an expression or of a part of it. */
export type Value = ValueTraits &
  (
    | { readonly kind: "number"; readonly number: Decimal }
    | { readonly kind: "list"; readonly items: readonly Decimal[] }
    | { readonly kind: "text"; readonly text: string }
    /** Several named numbers; `number` is the one that further calculations use. */
    | { readonly kind: "record"; readonly number: Decimal; readonly fields: Readonly<Record<string, Decimal>> }
  );

/** Creates the value of a plain number. */
export function toValue(number: Decimal): Value {
  return { kind: "number", number };
}

/** Reads a value as a number. @throws CalculatorError `TYPE` for a list, `SYNTAX` for a string. */
export function numberOf(value: Value | undefined, who: string): Decimal {
  if (value?.kind === "number" || value?.kind === "record") return value.number;
  if (value?.kind === "list") {
    throw new CalculatorError(
      "TYPE",
      `${who} needs a number, not a list; only functions such as mean, median, sum and stdev take lists`,
    );
  }
  throw new CalculatorError(
    "SYNTAX",
    `${who} needs a number, not ${value === undefined ? "nothing" : "a quoted string"}`,
  );
}

/**
 * Returns the numbers in the arguments in order, including the items of lists. @throws CalculatorError `SYNTAX` for a
 * string.
 */
export function numbersOf(values: readonly Value[], who: string): readonly Decimal[] {
  return values.flatMap((value) => (value.kind === "list" ? value.items : [numberOf(value, who)]));
}

/** Reads a quoted string. @throws CalculatorError `TYPE` for any other value. */
export function textOf(value: Value | undefined, who: string, example: string): string {
  if (value?.kind === "text") return value.text;
  throw new CalculatorError("TYPE", `${who} needs a quoted string, such as ${example}`);
}

export function toCount(count: number): Value {
  return toValue(fromInteger(BigInt(count)));
}

/** Joins the distinct notes into one string. */
export function joinNotes(...notes: readonly (string | undefined)[]): string {
  return [...new Set(notes.filter((note) => note !== undefined))].join("; ");
}
