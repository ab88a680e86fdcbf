import { CalculatorError } from "./calculator-error.ts";
import type { Currency } from "./value.ts";

/** The number of decimal places in ISO 4217, for currencies that do not have two. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF"].map((code) => [code, 0] as const),
  ...["UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"].map((code) => [code, 0] as const),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((code) => [code, 3] as const),
  ["CLF", 4],
  ["UYW", 4],
]);
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** The format of an amount without a currency code: two decimal places. */
export const CENTS: Currency = { digits: 2 };

/** Reads a currency code in upper or lower case. @throws CalculatorError `DOMAIN` for an unknown code. */
export function parseCurrency(code: string): Currency {
  const wanted = code.trim().toUpperCase();
  if (CODES.has(wanted)) return { code: wanted, digits: DIGITS.get(wanted) ?? 2 };
  throw new CalculatorError("DOMAIN", "expected an ISO 4217 currency code such as EUR, USD or JPY");
}
