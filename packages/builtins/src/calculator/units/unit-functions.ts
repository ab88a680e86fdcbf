import type { CalculatorFunction } from "../calculator-function.ts";
import { numberOf, textOf } from "../value.ts";
import { convertUnit } from "./convert-unit.ts";

const STEPS = 100;

export const UNIT_FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map([
  [
    "convert",
    {
      arity: { min: 3, max: 3 },
      cost: () => STEPS,
      apply: ([value, from, to]) =>
        convertUnit(
          numberOf(value, "convert"),
          textOf(from, "convert", 'convert(5, "km/h", "m/s")'),
          textOf(to, "convert", 'convert(5, "km/h", "m/s")'),
        ),
    },
  ],
]);
