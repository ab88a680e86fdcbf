import { add, divide, multiply, negate, power, remainder, subtract } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import { type Decimal, fromInteger, parseDecimal } from "./decimal.ts";
import type { BinaryOperator, Expression } from "./expression.ts";
import { type CalculatorFunction, CONSTANTS, FUNCTIONS } from "./functions.ts";

const HUNDRED = fromInteger(100n);

const OPERATIONS: Readonly<Record<BinaryOperator, (a: Decimal, b: Decimal) => Decimal>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": remainder,
  "^": power,
};

/** The value of a parsed expression. @throws CalculatorError when it has none. */
export function evaluate(expression: Expression): Decimal {
  switch (expression.kind) {
    case "number":
      return parseDecimal(expression.literal);
    case "constant":
      return constant(expression.name);
    case "negate":
      return negate(evaluate(expression.operand));
    case "percent":
      return divide(evaluate(expression.operand), HUNDRED);
    case "factorial":
      return call("factorial", [evaluate(expression.operand)]);
    case "binary":
      return OPERATIONS[expression.operator](evaluate(expression.left), evaluate(expression.right));
    case "call":
      return call(expression.name, expression.parameters.map(evaluate));
  }
}

function constant(name: string): Decimal {
  const value = CONSTANTS.get(name);
  if (value !== undefined) return value;
  if (FUNCTIONS.has(name)) throw new CalculatorError("syntax", `${name} is a function: write ${name}(…)`);
  throw unknownName(name);
}

function call(name: string, values: readonly Decimal[]): Decimal {
  const known = FUNCTIONS.get(name);
  if (known === undefined) throw unknownName(name);
  if (values.length < known.arity.min || values.length > known.arity.max) {
    throw new CalculatorError("arity", `${name} takes ${describeArity(known)}, not ${values.length}`);
  }
  return known.apply(values);
}

function describeArity({ arity: { min, max } }: CalculatorFunction): string {
  if (min === max) return `${min} argument${min === 1 ? "" : "s"}`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min} argument` : `${min} to ${max} arguments`;
}

function unknownName(name: string): CalculatorError {
  const shown = name.length > 32 ? `${name.slice(0, 31)}…` : name;
  const known = [...CONSTANTS.keys(), ...FUNCTIONS.keys()].filter((one) => one !== "π").join(", ");
  return new CalculatorError("unknown_identifier", `${shown} is not known; there are ${known}`);
}
