import fc from "fast-check";
import { expect, it } from "vitest";
import { type CalculatorOptions, calculate } from "../../src/calculator/calculate.ts";
import { CalculatorError } from "../../src/calculator/calculator-error.ts";
import type { BinaryOperator, Expression } from "../../src/calculator/expression.ts";
import { FUNCTIONS } from "../../src/calculator/function-names.ts";
import { CONSTANTS } from "../../src/calculator/functions.ts";
import { parseExpression } from "../../src/calculator/parse-expression.ts";

const MAX_MS = 100;
const seed = 20_261_121;

const pieces = fc.constantFrom(
  ...[
    ..."0123456789.+-*/%^(),![]\"'",
    " ",
    "**",
    "e",
    "1e",
    "1e308",
    "1e-300",
    "170!",
    ".5",
    "9^9",
    "π",
    "√",
    "²",
    " nCr ",
    "×",
    "\u0000",
    "\\",
    "$",
    '"km/h"',
    '"EUR"',
    " km to m",
    "[1,2,3]",
  ],
  ...FUNCTIONS.keys(),
  ...[...FUNCTIONS.keys()].map((name) => `${name}(`),
);
const pieced = fc.array(pieces, { maxLength: 400 }).map((all) => all.join("").slice(0, 4_096));
const repeated = fc
  .tuple(fc.array(pieces, { minLength: 1, maxLength: 8 }), fc.array(pieces, { maxLength: 4 }))
  .map(([unit, end]) => `${unit.join("").repeat(300).slice(0, 4_000)}${end.join("")}`.slice(0, 4_096));

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc
      .constantFrom("0", "1", "2", "10", "0.5", ".25", "1.5e3", "2E-2")
      .map((literal): Expression => ({ kind: "number", literal })),
    fc.constantFrom(...CONSTANTS.keys()).map((name): Expression => ({ kind: "constant", name })),
    fc
      .tuple(fc.constantFrom("negate", "percent", "factorial"), tie("expression"))
      .filter(([kind, operand]) => !(kind === "factorial" && operand.kind === "factorial"))
      .map(([kind, operand]): Expression => ({ kind, operand })),
    fc
      .tuple(fc.constantFrom<BinaryOperator[]>("+", "-", "*", "/", "%", "^"), tie("expression"), tie("expression"))
      .map(([operator, left, right]): Expression => ({ kind: "binary", operator, left, right })),
    fc.constantFrom("km/h", "EUR", "half_even").map((text): Expression => ({ kind: "text", text })),
    fc.array(tie("expression"), { maxLength: 3 }).map((items): Expression => ({ kind: "list", items })),
    fc
      .tuple(fc.constantFrom(...FUNCTIONS.keys()), fc.array(tie("expression"), { maxLength: 3 }))
      .map(([name, parameters]): Expression => ({ kind: "call", name, parameters })),
  ),
}));

/** Writes an expression with every bracket, so that the text has one reading. */
function print(one: Expression): string {
  switch (one.kind) {
    case "number":
      return one.literal;
    case "constant":
      return one.name;
    case "text":
      return `"${one.text}"`;
    case "list":
      return `[${one.items.map(print).join(", ")}]`;
    case "negate":
      return `(-${print(one.operand)})`;
    case "percent":
      return `(${print(one.operand)}%)`;
    case "factorial":
      return `(${print(one.operand)}!)`;
    case "binary":
      return `(${print(one.left)} ${one.operator} ${print(one.right)})`;
    case "call":
      return `${one.name}(${one.parameters.map(print).join(", ")})`;
  }
}

/** Calculates, and checks what must hold for any text. */
function expectBounded(text: string, options: CalculatorOptions = {}): void {
  let failure: unknown;
  let answer: unknown = 0;
  let elapsedMs = Number.POSITIVE_INFINITY;
  // CPU time, and the best of three: a busy machine must not look like an expensive expression.
  for (let attempt = 0; attempt < 3 && elapsedMs >= MAX_MS; attempt++) {
    const before = process.cpuUsage();
    try {
      answer = calculate(text, options).value;
    } catch (error) {
      failure = error;
    }
    const { user, system } = process.cpuUsage(before);
    elapsedMs = (user + system) / 1_000;
  }
  expect(elapsedMs).toBeLessThan(MAX_MS);
  if (failure !== undefined) expect(failure).toBeInstanceOf(CalculatorError);
  for (const one of Array.isArray(answer) ? answer : [answer]) {
    expect(Number.isFinite(Number(one))).toBe(true);
    expect(String(one)).not.toBe("");
  }
}

it.each([
  ["text of the calculator's own pieces", pieced],
  ["the same pieces over and over", repeated],
  ["any text", fc.string({ maxLength: 4_096, size: "max" })],
  ["printed expressions", expression.map((one) => print(one).slice(0, 4_096))],
])("%s gives a finite value or a typed error in 100 ms", (_name, texts) => {
  fc.assert(
    fc.property(texts, (text) => expectBounded(text)),
    { numRuns: 1_000, seed },
  );
});

it.each(["de", "de-CH", "en-IN", "fr"])(
  "pieces read in %s give a finite value or a typed error in 100 ms",
  (locale) => {
    const local = fc.array(fc.oneof(pieces, fc.constantFrom(";", "1.234", "1 234", "1'234", "2,5", "'")), {
      maxLength: 400,
    });
    const texts = local.map((all) => all.join("").slice(0, 4_096));
    fc.assert(
      fc.property(texts, (text) => expectBounded(text, { locale })),
      { numRuns: 250, seed },
    );
    for (const unit of ["'", "1,234", "1 234;", "[1;", "max(", '"', "“"]) {
      expectBounded(unit.repeat(4_096).slice(0, 4_096), { locale });
    }
  },
);

it.each([
  "1.0001^999999+",
  ".9999^9e5+",
  ".99^1e300+",
  "sqrt(2)+",
  "1020 nCr 510+",
  "1e300 nPr 1+",
  "√",
  "gcd(170!,169!+1)+",
  "lcm(169!,7)/",
  "170!/169!+",
  "1e300%7e-300+",
  "1e-300+1e300-",
  "tan(1e300)+",
  "hypot(1e150,3)+",
  "1/7*",
  "9%",
  "loan(1e9,7%,1200)+",
  'convert(1,"mi3","fl oz")+',
  'convert(1,"(((kg)))^9/(m s)^9","(((lb)))^9/(m s)^9")+',
  "stdev([1e300,1e-300,7])+",
  "median([1/7,1e300,1e-300])+",
  "split(9999999,1000)+",
  "compound(1,1%,1e300)+",
  "linear_regression([1,2,3],[1/7,1e-300,3])+",
])("the most that fits of %s takes under 100 ms", (unit) => {
  const tokens = parseTokens(unit);
  const times = Math.min(Math.floor(4_090 / unit.length), Math.floor(1_990 / tokens));
  expectBounded(`${unit.repeat(times)}1`);
});

function parseTokens(unit: string): number {
  return unit.match(/"[^"]*"|[\d.]+(?:e-?\d+)?|[a-z_]+|./g)?.length ?? 1;
}

it("a printed expression is parsed to itself", () => {
  fc.assert(
    fc.property(expression, (one) => {
      const text = print(one);
      fc.pre(text.length <= 4_096);
      expect(parseExpression(text)).toEqual(one);
    }),
    { numRuns: 1_000, seed },
  );
});

function oneValue(text: string): number | string {
  const { value } = calculate(text);
  if (typeof value === "object") throw new Error("expected one value");
  return value;
}

/** The whole number that an answer's text says; `BigInt(1e30)` would give the digits of the double instead. */
function toBigInt(answer: number | string): bigint {
  const [mantissa = "", exponent = "0"] = String(answer).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return BigInt(`${whole}${fraction}`) * 10n ** BigInt(Number(exponent) - fraction.length);
}

it("whole numbers of any size are as BigInt calculates them", () => {
  const whole = fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n });
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      expect(toBigInt(oneValue(`(${a}) + (${b})`))).toBe(a + b);
      expect(toBigInt(oneValue(`(${a}) - (${b})`))).toBe(a - b);
      expect(toBigInt(oneValue(`(${a}) * (${b})`))).toBe(a * b);
      if (b !== 0n) expect(toBigInt(oneValue(`(${a}) % (${b})`))).toBe(a % b);
      if (b !== 0n) expect(toBigInt(oneValue(`(${a} * ${b < 0n ? -b : b}) / (${b < 0n ? -b : b})`))).toBe(a);
    }),
    { numRuns: 500, seed },
  );
});

it("decimals agree with doubles to 12 digits", () => {
  const operand = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(operand, operand, (a, b) => {
      for (const [text, expected] of [
        [`${a} + ${b}`, a + b],
        [`${a} * ${b}`, a * b],
        [`${a} / ${b}`, a / b],
        [`sqrt(${a})`, Math.sqrt(a)],
        [`${a} ^ 3`, a ** 3],
        [`${a} ^ -2`, a ** -2],
        [`ln(${a})`, Math.log(a)],
      ] as const) {
        expect(Math.abs(Number(oneValue(text)) - expected)).toBeLessThanOrEqual(Math.abs(expected) * 1e-12);
      }
    }),
    { numRuns: 500, seed },
  );
});
