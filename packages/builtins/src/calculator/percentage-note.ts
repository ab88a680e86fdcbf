import type { Expression } from "./expression.ts";

/**
 * Explains a sum such as `200 + 15%`. People often expect it to be 15% more than 200, but `15%` is 0.15 there too.
 * Returns no note for a sum of shares, such as `1 + 15%` or `100% - 15%`.
 */
export function percentageNote(expression: Expression): string | undefined {
  switch (expression.kind) {
    case "binary": {
      const { operator, left, right } = expression;
      if ((operator === "+" || operator === "-") && right.kind === "percent" && !isShare(left)) {
        return describe(operator, left, right.operand);
      }
      return percentageNote(left) ?? percentageNote(right);
    }
    case "negate":
    case "percent":
    case "factorial":
      return percentageNote(expression.operand);
    case "list":
      return first(expression.items);
    case "call":
      return first(expression.parameters);
    default:
      return undefined;
  }
}

function describe(operator: "+" | "-", left: Expression, rate: Expression): string {
  const amount = left.kind === "number" ? left.literal : "x";
  const share = `${rate.kind === "number" ? rate.literal : "p"}%`;
  const more = operator === "+" ? "more" : "less";
  return `% divides by 100 after ${operator} too; for ${share} ${more} than ${amount}, write ${amount} * (1 ${operator} ${share})`;
}

function isShare(one: Expression): boolean {
  if (one.kind === "percent") return true;
  if (one.kind === "number") return Number(one.literal) <= 1;
  if (one.kind === "negate") return isShare(one.operand);
  return one.kind === "binary" && (one.operator === "+" || one.operator === "-") && isShare(one.left);
}

function first(expressions: readonly Expression[]): string | undefined {
  for (const one of expressions) {
    const note = percentageNote(one);
    if (note !== undefined) return note;
  }
  return undefined;
}
