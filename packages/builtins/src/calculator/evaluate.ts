import { cutText } from "@yagate/lib/text/cut-text";
import { add, divide, multiply, negate, power, remainder, subtract } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import type { CalculatorFunction } from "./calculator-function.ts";
import { type Decimal, fromInteger, parseDecimal } from "./decimal.ts";
import type { BinaryOperator, Expression } from "./expression.ts";
import { FUNCTIONS, resolveFunctionName } from "./function-names.ts";
import { CONSTANTS } from "./functions.ts";
import { numberOf, numbersOf, toValue, type Value } from "./value.ts";

const HUNDRED = fromInteger(100n);
/** Maximum number of list items that all functions of one expression may read in total: about 100 ms of work. */
const MAX_STEPS = 60_000;

const OPERATIONS: Readonly<Record<BinaryOperator, (a: Decimal, b: Decimal) => Decimal>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": remainder,
  "^": power,
};

/** The lists passed with the expression, by name in lower case. */
export type GivenLists = ReadonlyMap<string, readonly Decimal[]>;

/** Evaluates a parsed expression. @throws CalculatorError if it has no value. */
export function evaluate(expression: Expression, lists: GivenLists = new Map()): Value {
  let steps = 0;
  return worth(expression);

  function worth(one: Expression): Value {
    switch (one.kind) {
      case "number":
        return toValue(parseDecimal(one.literal));
      case "constant":
        return constant(one.name, lists);
      case "text":
        return { kind: "text", text: one.text };
      case "list":
        return list(one.items.map(worth));
      case "negate": {
        const operand = worth(one.operand);
        const negated = toValue(negate(numberOf(operand, "a sign")));
        return operand.isPercentage === true ? { ...negated, isPercentage: true } : negated;
      }
      case "percent":
        return { ...toValue(divide(numberOf(worth(one.operand), "%"), HUNDRED)), isPercentage: true };
      case "factorial":
        return call("factorial", [worth(one.operand)]);
      case "binary": {
        const left = numberOf(worth(one.left), one.operator);
        return toValue(OPERATIONS[one.operator](left, numberOf(worth(one.right), one.operator)));
      }
      case "call":
        return call(one.name, one.parameters.map(worth));
    }
  }

  function call(name: string, values: readonly Value[]): Value {
    const known = FUNCTIONS.get(resolveFunctionName(name));
    if (known === undefined) throw CONSTANTS.has(name) ? noFunction(name) : unknownName(name, lists);
    if (values.length < known.arity.min || values.length > known.arity.max) {
      throw new CalculatorError("ARITY", `${name} takes ${describeArity(known)}, not ${values.length}`);
    }
    spend(known.cost?.(values) ?? countItems(values));
    return known.apply(values);
  }

  function list(values: readonly Value[]): Value {
    spend(countItems(values));
    return { kind: "list", items: numbersOf(values, "a list") };
  }

  function spend(count: number): void {
    steps += count;
    if (steps <= MAX_STEPS) return;
    throw new CalculatorError(
      "TOO_COMPLEX",
      "the expression reads its lists too often: split the calculation into several calls",
    );
  }
}

function countItems(values: readonly Value[]): number {
  return values.reduce((count, value) => count + (value.kind === "list" ? value.items.length : 0), 0);
}

function constant(name: string, lists: GivenLists): Value {
  const items = lists.get(name);
  if (items !== undefined) return { kind: "list", items };
  const value = CONSTANTS.get(name);
  if (value !== undefined) return toValue(value);
  if (name === "values" || name === "yvalues") {
    throw new CalculatorError("UNKNOWN_IDENTIFIER", `${name === "values" ? name : "yValues"} was not passed`);
  }
  if (FUNCTIONS.has(resolveFunctionName(name))) {
    throw new CalculatorError("SYNTAX", `${name} is a function: write ${name}(…)`);
  }
  throw unknownName(name, lists);
}

function noFunction(name: string): CalculatorError {
  return new CalculatorError("UNKNOWN_IDENTIFIER", `${name} is not a function: write ${name} * (…) to multiply`);
}

function describeArity({ arity: { min, max } }: CalculatorFunction): string {
  if (min === max) return `${min} argument${min === 1 ? "" : "s"}`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min} argument` : `${min} to ${max} arguments`;
}

function unknownName(name: string, lists: GivenLists): CalculatorError {
  const shown = cutText(name, 32);
  const known = [...CONSTANTS.keys(), ...FUNCTIONS.keys()].filter((one) => one !== "π");
  const given = lists.size === 0 ? "" : " and the lists that were passed";
  return new CalculatorError("UNKNOWN_IDENTIFIER", `${shown} is not known; known names: ${known.join(", ")}${given}`);
}
