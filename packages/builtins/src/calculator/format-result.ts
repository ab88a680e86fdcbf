import { defined } from "@yagate/lib/objects/defined";
import { CalculatorError } from "./calculator-error.ts";
import { type Decimal, EXACT } from "./decimal.ts";
import { toAnswer, toExactText } from "./format-decimal.ts";
import type { Currency, Value } from "./value.ts";

/** A number as JSON, or a string of digits if a JSON number would lose some of them. */
export type ResultNumber = number | string;

/** The result of a calculation. */
export interface CalculatorResult {
  /** The value: whole numbers have all their digits, others 15 significant digits. */
  readonly value: ResultNumber | readonly ResultNumber[];
  /** All digits, if the value was never rounded. An amount of money has the decimal places of its currency. */
  readonly exact?: string | readonly string[];
  readonly unit?: string;
  /** ISO 4217 code. */
  readonly currency?: string;
  /** The other numbers of a function that returns several. */
  readonly details?: Readonly<Record<string, ResultNumber>>;
  /** Which interpretation was chosen for ambiguous input. */
  readonly note?: string;
}

/** Formats a value as the result of a calculation. @throws CalculatorError `SYNTAX` for a string. */
export function toCalculatorResult(value: Value): CalculatorResult {
  const { unit, currency, note } = value;
  const traits = {
    ...defined({ unit }),
    ...(currency?.code === undefined ? {} : { currency: currency.code }),
    ...defined({ note }),
  };
  switch (value.kind) {
    case "text":
      throw new CalculatorError(
        "SYNTAX",
        "a quoted string has no value; quotes are for units, currencies and rounding modes",
      );
    case "list": {
      const exact = value.items.map((item) => exactText(item, currency));
      const isExact = exact.every((text) => text !== undefined);
      return { value: value.items.map(toAnswer), ...(isExact ? { exact } : {}), ...traits };
    }
    case "number":
      return { value: toAnswer(value.number), ...exactOf(value.number, currency), ...traits };
    case "record": {
      const details = Object.entries(value.fields).map(([name, number]) => {
        return [name, currency === undefined ? toAnswer(number) : (exactText(number, currency) ?? toAnswer(number))];
      });
      const answer = { value: toAnswer(value.number), ...exactOf(value.number, currency) };
      return { ...answer, details: Object.fromEntries(details), ...traits };
    }
  }
}

function exactOf(number: Decimal, currency: Currency | undefined): { readonly exact?: string } {
  const exact = exactText(number, currency);
  return exact === undefined ? {} : { exact };
}

function exactText(number: Decimal, currency: Currency | undefined): string | undefined {
  if (currency === undefined && number.precision !== EXACT) return undefined;
  const text = toExactText(number);
  if (currency === undefined || text.includes("e")) return text;
  const [whole = "", fraction = ""] = text.split(".");
  return currency.digits === 0 ? text : `${whole}.${fraction.padEnd(currency.digits, "0")}`;
}
