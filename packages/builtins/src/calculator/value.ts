import { CalculatorError } from "./calculator-error.ts";
import { type Decimal, fromInteger } from "./decimal.ts";

/** How an amount of money is written. */
export interface Currency {
  /** ISO 4217, such as `EUR`; absent where only the number of places was given. */
  readonly code?: string;
  /** Digits after the point. */
  readonly digits: number;
}

/** What stands beside a value when it is answered. A calculation that goes on with the value drops it. */
export interface ValueTraits {
  readonly unit?: string;
  readonly currency?: Currency;
  /** What had to be decided to get the value. */
  readonly note?: string;
  /** Written with a percent sign: 100% is a rate, where a bare 1 could be 1%. */
  readonly isPercentage?: boolean;
}

/** What a part of an expression is worth. */
export type Value = ValueTraits &
  (
    | { readonly kind: "number"; readonly number: Decimal }
    | { readonly kind: "list"; readonly items: readonly Decimal[] }
    | { readonly kind: "text"; readonly text: string }
    /** Several named numbers, of which `number` is the one that a calculation goes on with. */
    | { readonly kind: "record"; readonly number: Decimal; readonly fields: Readonly<Record<string, Decimal>> }
  );

/** A plain number. */
export function toValue(number: Decimal): Value {
  return { kind: "number", number };
}

/** The number that a value is. @throws CalculatorError `TYPE` for a list, `SYNTAX` for a text. */
export function numberOf(value: Value | undefined, who: string): Decimal {
  if (value?.kind === "number" || value?.kind === "record") return value.number;
  if (value?.kind === "list") {
    throw new CalculatorError(
      "TYPE",
      `${who} needs a number, not a list; lists go into mean, median, sum, stdev and so on`,
    );
  }
  throw new CalculatorError(
    "SYNTAX",
    `${who} needs a number, not ${value === undefined ? "nothing" : "a text in quotes"}`,
  );
}

/** All numbers of some arguments, in order, lists included. @throws CalculatorError `SYNTAX` for a text. */
export function numbersOf(values: readonly Value[], who: string): readonly Decimal[] {
  return values.flatMap((value) => (value.kind === "list" ? value.items : [numberOf(value, who)]));
}

/** A text that is given in quotes. @throws CalculatorError `TYPE`. */
export function textOf(value: Value | undefined, who: string, example: string): string {
  if (value?.kind === "text") return value.text;
  throw new CalculatorError("TYPE", `${who} needs a text in quotes there, such as ${example}`);
}

/** A small whole number. */
export function toCount(count: number): Value {
  return toValue(fromInteger(BigInt(count)));
}

/** Several notes as one, each said once. */
export function joinNotes(...notes: readonly (string | undefined)[]): string {
  return [...new Set(notes.filter((note) => note !== undefined))].join("; ");
}
