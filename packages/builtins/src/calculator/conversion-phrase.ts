import { add } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import type { Decimal } from "./decimal.ts";
import { convertUnit } from "./units/convert-unit.ts";
import type { Value } from "./value.ts";

/** Matches a number or a parenthesized expression, followed by a unit. */
const QUANTITY =
  /^(?<sign>[-−+]\s*)?(?<amount>(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?|\(.*\))\s*(?<unit>[\p{L}°℃℉'"′″$€£¥].*)$/isu;
const SEPARATOR = /\s(?:to|in|as|into)(?=\s)|\s?(?:->|→)/gi;
const MAX_QUANTITIES = 4;

/**
 * The parts of a phrase such as `72 °F to °C`, `(3 + 4) miles in km` or `5 ft 11 in to cm`: the quantities and the
 * target unit.
 */
export interface ConversionPhrase {
  readonly quantities: readonly { readonly amount: string; readonly unit: string }[];
  readonly to: string;
}

/** Reads a conversion phrase. Returns `undefined` if the text is not one. */
export function readConversionPhrase(text: string): ConversionPhrase | undefined {
  // The last separator splits the phrase, because `in` can also be a unit: `5 ft 11 in to cm`.
  for (const separator of [...text.matchAll(SEPARATOR)].toReversed()) {
    const quantities = readQuantities(text.slice(0, separator.index).trim());
    const to = text.slice(separator.index + separator[0].length).trim();
    if (quantities !== undefined && to !== "") return { quantities, to };
  }
  return undefined;
}

/**
 * Converts the quantities and adds them up.
 *
 * @throws CalculatorError if an amount or a unit cannot be read or converted.
 */
export function convertPhrase({ quantities, to }: ConversionPhrase, evaluateAmount: (text: string) => Decimal): Value {
  let sum: Value | undefined;
  for (const { amount, unit } of quantities) {
    const converted = convertUnit(evaluateAmount(amount), unit, to);
    if (sum?.kind !== "number" || converted.kind !== "number") sum = converted;
    else sum = { ...sum, number: add(sum.number, converted.number) };
  }
  if (sum === undefined) throw new CalculatorError("SYNTAX", "expected a number with a unit");
  return sum;
}

function readQuantities(text: string): ConversionPhrase["quantities"] | undefined {
  const found: { amount: string; unit: string }[] = [];
  let rest = text;
  while (found.length < MAX_QUANTITIES) {
    const { sign = "", amount, unit } = QUANTITY.exec(rest)?.groups ?? {};
    if (amount === undefined || unit === undefined) return undefined;
    // Another quantity can follow: a plain number after a unit of one word, as in 5 ft 11 in, 1 h 30 min or 5'11".
    const [, mark, own = mark ?? unit, next] = /^(?:(['′°])\s*|([^\s\d/^*()]+)\s+)(\d.*)$/s.exec(unit) ?? [];
    found.push({ amount: `${sign}${amount}`, unit: own.trim() });
    if (next === undefined) return found;
    rest = next;
  }
  return undefined;
}
