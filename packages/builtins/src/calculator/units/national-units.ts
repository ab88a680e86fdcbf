import type { OwnUnit } from "./own-unit.ts";

/** A unit whose US size differs from its imperial size. */
interface NationalMeasure {
  readonly names: readonly string[];
  /** The factor and the unit that it multiplies. `uk` is absent if the imperial system does not have the unit. */
  readonly us: readonly [amount: string, of: string];
  readonly uk?: readonly [amount: string, of: string];
  /** What the name without a prefix means; if absent, that name is an error. */
  readonly note?: string;
}

const MEASURES: readonly NationalMeasure[] = [
  {
    names: ["gal", "gallon", "gallons"],
    us: ["231", "in3"],
    uk: ["4.54609", "L"],
    note: "gal is the US gallon; imp gal is the imperial gallon",
  },
  {
    names: ["qt", "quart", "quarts"],
    us: ["57.75", "in3"],
    uk: ["1.1365225", "L"],
    note: "qt is the US liquid quart; imp qt is the imperial quart",
  },
  {
    names: ["pt", "pint", "pints"],
    us: ["28.875", "in3"],
    uk: ["0.56826125", "L"],
    note: "pt is the US liquid pint; imp pt is the imperial pint",
  },
  {
    names: ["fl oz", "fl. oz.", "floz", "fluid ounce", "fluid ounces"],
    us: ["231/128", "in3"],
    uk: ["28.4130625", "mL"],
    note: "fl oz is the US fluid ounce; imp fl oz is the imperial fluid ounce",
  },
  { names: ["cup", "cups"], us: ["231/16", "in3"], note: "cup is the US cup; a metric cup is 250 mL" },
  {
    names: ["tbsp", "tablespoon", "tablespoons"],
    us: ["231/256", "in3"],
    note: "tbsp is the US tablespoon; a metric tbsp is 15 mL",
  },
  {
    names: ["tsp", "teaspoon", "teaspoons"],
    us: ["231/768", "in3"],
    note: "tsp is the US teaspoon; a metric tsp is 5 mL",
  },
  { names: ["bu", "bushel", "bushels"], us: ["2150.42", "in3"], uk: ["36.36872", "L"] },
  { names: ["pk", "peck", "pecks"], us: ["537.605", "in3"], uk: ["9.09218", "L"] },
  { names: ["ton", "tons"], us: ["2000", "lb"], uk: ["2240", "lb"] },
  { names: ["cwt", "hundredweight", "hundredweights"], us: ["100", "lb"], uk: ["112", "lb"] },
  {
    names: ["mpg", "miles per gallon"],
    us: ["1", "mi/US gallon"],
    uk: ["1", "mi/UK gallon"],
    note: "mpg counts US gallons; imp mpg counts imperial gallons",
  },
];

const US = ["US", "U.S."];
const UK = ["UK", "U.K.", "imp", "imperial", "British"];

/**
 * The US and imperial units, by their names with the prefix `US`, `UK` or `imperial`, and without a prefix if the name
 * has a default meaning.
 */
export const NATIONAL_UNITS: readonly OwnUnit[] = MEASURES.flatMap(({ names, us, uk, note }) => [
  unit(withPrefix(US, names), us),
  ...(uk === undefined ? [] : [unit(withPrefix(UK, names), uk)]),
  ...(note === undefined ? [] : [{ ...unit(names, us), note }]),
]);

function unit(names: readonly string[], [amount, of]: readonly [amount: string, of: string]): OwnUnit {
  return { names, amount, of };
}

function withPrefix(prefixes: readonly string[], names: readonly string[]): readonly string[] {
  return prefixes.flatMap((prefix) => names.map((name) => `${prefix} ${name}`));
}
