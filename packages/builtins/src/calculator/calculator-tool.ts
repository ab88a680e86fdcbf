import type { BuiltinTool } from "../builtin-tool.ts";

const MAX_ITEMS = 10_000;

/** The built-in tool `calculator`. */
export const calculatorTool: BuiltinTool = {
  name: "calculator",
  description: [
    "Calculates exactly: arithmetic, statistics of lists, unit conversion, money. Use it for any calculation instead of",
    "working it out. Operators: + - * / ^ n! and % (after a number percent: 200 * 10%; between two the remainder).",
    "Constants pi, e, tau; angles in radians. Write * to multiply, numbers without separators unless locale is given.",
    'Returns {"value": number}: a string of digits where a JSON number would lose some, a list for functions that give one;',
    '"exact" has all digits of a value that was never rounded; "details" the other numbers of functions with several.',
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      expression: {
        type: "string",
        minLength: 1,
        maxLength: 4096,
        description: [
          "For example (1250.50 * 3 - 200) / 1.19, stdev([2, 4, 4, 5]), 5 km/h to m/s.",
          'round(x, places, "half_even"), floor ceil trunc abs sign sqrt cbrt hypot exp ln log(x, base) log10 log2 sin cos',
          "tan asin acos atan atan2 sinh cosh tanh degrees radians gcd lcm factorial nCr(5, 2) nPr(5, 2) pow.",
          "Lists: mean median mode min max sum product count range variance stdev (sample) pvariance pstdev (population)",
          "percentile(list, 95) quantile(list, 0.95) quartiles sort geomean harmean",
          "correlation(xs, ys) covariance(xs, ys) linear_regression(xs, ys).",
          'Units: convert(72, "°F", "°C"), convert(1, "GiB", "MB"), 5 ft 11 in to cm; units such as km/h, kg m/s^2, L/100km.',
          'Money: money(x, "EUR") rounds to cents; split(100, 3, "EUR") or split(100, [2, 1, 1], "EUR") loses no cent;',
          'add_tax(net, 19%), remove_tax(gross, 19%), discount(price, 15%), tip(bill, 18%), each with "EUR" as a last',
          "argument if wanted; loan(principal, yearly rate, months), compound(principal, yearly rate, years, periods a year).",
        ].join(" "),
      },
      values: {
        type: "array",
        items: { type: "number" },
        maxItems: MAX_ITEMS,
        description: "A list that the expression calls values, as in percentile(values, 95)",
      },
      yValues: {
        type: "array",
        items: { type: "number" },
        maxItems: MAX_ITEMS,
        description: "A second list, yValues, as in correlation(values, yValues)",
      },
      locale: {
        type: "string",
        maxLength: 35,
        description:
          "How numbers are written in expression: de for 1.234,56, fr for 1 234,56, en-IN for 12,34,567.8; ; separates arguments then. Default: 1234.56",
      },
    },
    required: ["expression"],
    additionalProperties: false,
  },
  sideEffect: "read_only",
  kind: "compute",
  isConfigured: true,
  async execute(parameters) {
    // The names and factors of units take 10 ms to load.
    const { runCalculator } = await import("./run-calculator.ts");
    return runCalculator(parameters, MAX_ITEMS);
  },
};
