import type { BuiltinTool } from "../builtin-tool.ts";
import { calculate } from "./calculate.ts";
import { CalculatorError } from "./calculator-error.ts";

/** The built-in `calculator`. */
export const calculatorTool: BuiltinTool = {
  name: "calculator",
  description: [
    "Calculates an arithmetic expression exactly; use it for any calculation instead of working it out.",
    "Operators: + - * / ^ (power), % (after a number: percent, as in 200 * 10%; between two: remainder), n! (factorial).",
    "Functions: abs sign floor ceil trunc round(x, places) min max sum mean gcd lcm factorial pow sqrt cbrt hypot exp",
    "ln log(x, base) (base 10 by default) log10 log2 sin cos tan asin acos atan atan2 sinh cosh tanh degrees radians.",
    "Angles are in radians. Constants: pi, e, tau. Always write * to multiply, and numbers without separators or units.",
    'Returns { "value": number }; a value with more digits than a JSON number can hold is a string.',
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      expression: {
        type: "string",
        minLength: 1,
        maxLength: 4096,
        description: "The expression, for example (1250.50 * 3 - 200) / 1.19",
      },
    },
    required: ["expression"],
    additionalProperties: false,
  },
  sideEffect: "read_only",
  kind: "compute",
  isConfigured: true,
  async execute({ expression }) {
    try {
      return { result: { value: calculate(expression) } };
    } catch (error) {
      if (!(error instanceof CalculatorError)) throw error;
      const message = `${error.code}: ${error.message}`;
      return {
        error: { code: "INVALID_ARGUMENTS", message, hint: "correct the expression and call again", retryable: true },
      };
    }
  },
};
