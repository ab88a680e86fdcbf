import { CalculatorError } from "./calculator-error.ts";
import { type Decimal, EXACT, fromDouble } from "./decimal.ts";
import type { GivenLists } from "./evaluate.ts";

/**
 * Reads the lists passed with an expression, by lower-case name. Numbers are read from their decimal text, so 0.1 is
 * exactly a tenth.
 *
 * @throws CalculatorError `INVALID_TYPE`, `INPUT_TOO_LONG`.
 */
export function readGivenLists(lists: Readonly<Record<string, unknown>>, maxItems: number): GivenLists {
  const given = Object.entries(lists).filter(([, list]) => list !== undefined);
  return new Map(given.map(([name, list]) => [name.toLowerCase(), readList(name, list, maxItems)]));
}

function readList(name: string, list: unknown, maxItems: number): readonly Decimal[] {
  if (!Array.isArray(list)) throw new CalculatorError("INVALID_TYPE", `${name} must be a list of numbers`);
  if (list.length > maxItems) {
    throw new CalculatorError("INPUT_TOO_LONG", `${name} must have at most ${maxItems} numbers`);
  }
  return list.map((item: unknown, index) => {
    if (typeof item === "number" && Number.isFinite(item)) return { ...fromDouble(item), precision: EXACT };
    throw new CalculatorError("INVALID_TYPE", `${name}[${index}] must be a number`);
  });
}
