/** Binary operators; `%` is the remainder. */
export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "^";

/** A parsed expression. */
export type Expression =
  | { readonly kind: "number"; readonly literal: string }
  | { readonly kind: "constant"; readonly name: string }
  /** A string in quotes: a unit, a currency or a rounding mode. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "negate" | "percent" | "factorial"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "call"; readonly name: string; readonly parameters: readonly Expression[] };
