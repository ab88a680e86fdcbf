import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { calculate } from "../../src/calculator/calculate.ts";
import { CALCULATOR_ERROR_CODES, CalculatorError } from "../../src/calculator/calculator-error.ts";

const vectorSchema = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      expression: z.unknown(),
      generate: z
        .object({
          prefix: z.string(),
          times_prefix: z.number(),
          unit: z.string(),
          suffix: z.string(),
          times_suffix: z.number(),
        })
        .optional(),
      expect: z.enum(["value", "error", "value_or_error"]),
      value: z.number().optional(),
      values: z.array(z.number()).optional(),
      tolerance: z.number().optional(),
      error_class: z.string().optional(),
      error_class_any: z.array(z.string()).optional(),
      max_ms: z.number().optional(),
    }),
  ),
});
type Case = z.infer<typeof vectorSchema>["cases"][number];

const file = new URL("../vectors/calculator.json", import.meta.url);
const { cases } = vectorSchema.parse(JSON.parse(readFileSync(file, "utf8")));

function expressionOf({ expression, generate }: Case): unknown {
  if (generate === undefined) return expression;
  const { prefix, times_prefix, unit, suffix, times_suffix } = generate;
  return prefix.repeat(times_prefix) + unit + suffix.repeat(times_suffix);
}

/** What came out, as the vectors put it: a number, or the class of the error. */
function outcomeOf(expression: unknown): number | string {
  try {
    return Number(calculate(expression).value);
  } catch (error) {
    if (error instanceof CalculatorError) return error.code;
    throw error;
  }
}

/** CPU time of the best of three tries, which tells an expensive expression from a pause of the machine. */
function timed(expression: unknown): { outcome: number | string; elapsedMs: number } {
  const tries = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    const outcome = outcomeOf(expression);
    const { user, system } = process.cpuUsage(before);
    return { outcome, elapsedMs: (user + system) / 1_000 };
  });
  return tries.reduce((a, b) => (b.elapsedMs < a.elapsedMs ? b : a));
}

function isNear(actual: number, expected: number, tolerance: number): boolean {
  return Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected));
}

it("reads all vectors", () => {
  expect(cases.length).toBeGreaterThan(150);
});

it.each(cases.map((one) => [`${one.id} ${String(one.expression).slice(0, 60)}`, one] as const))(
  "vector %s",
  (_name, one) => {
    const { outcome, elapsedMs } = timed(expressionOf(one));
    if (one.max_ms !== undefined) expect(elapsedMs).toBeLessThan(one.max_ms);
    if (one.expect === "error") {
      const classes = one.error_class_any ?? [one.error_class];
      expect(classes.map((name) => name?.toUpperCase())).toContain(outcome);
      return;
    }
    if (one.expect === "value_or_error" && typeof outcome === "string") {
      expect(CALCULATOR_ERROR_CODES).toContain(outcome);
      return;
    }
    const accepted = one.values ?? [one.value ?? Number.NaN];
    const isAccepted =
      typeof outcome === "number" && accepted.some((value) => isNear(outcome, value, one.tolerance ?? 0));
    expect(isAccepted, `${outcome} is none of ${accepted.join(", ")}`).toBe(true);
  },
);

describe("an answer reads as a person would write it:", () => {
  it.each<[string, number | string]>([
    ["0.1 + 0.2", 0.3],
    ["19.99 * 3", 59.97],
    ["9.95 - 9.9", 0.05],
    ["4.35 * 100", 435],
    ["2 / 3 * 3", 2],
    ["1/3 + 1/3 + 1/3 - 1", 0],
    ["1 / 3", 0.333333333333333],
    ["1000 * 1.05^30", 4321.94237515066],
    ["sqrt(3)", 1.73205080756888],
    ["sqrt(2)^2 - 2", 0],
    ["sqrt(0.0625)", 0.25],
    ["sqrt(152415787532388367501905199875019052100)", "12345678901234567890"],
    ["2^53 + 1", "9007199254740993"],
    ["12345678901 * 98765432109", "1219326311336229232209"],
    ["123456789012345678.25 * 1", "123456789012345678.25"],
    ["-(2^64)", "-18446744073709551616"],
    ["1e20 / 3", "33333333333333333333.33"],
    ["2^64 / 10^30", 1.84467440737096e-11],
    ["30!", "265252859812191058636308480000000"],
    ["170! / 1e300", 7257415.615308],
    ["100! / 98!", 9900],
    ["1e308", 1e308],
    ["1e-320", 1e-320],
    ["1e-400", 0],
    ["-0", 0],
    ["sin(pi)", 0],
    ["cos(pi / 2)", 0],
    ["tan(pi)", 0],
    ["sin(10000000000000000)", 0.779688006606979],
    ["log10(1000)", 3],
    ["8^(1/3)", 2],
    ["floor(1/3 * 3)", 1],
    ["floor(log10(1000))", 3],
    ["factorial(sqrt(16))", 24],
  ])("%s is %s", (expression, answer) => {
    expect(calculate(expression).value).toBe(answer);
  });
});

describe("what is decided:", () => {
  it.each<[string, string, number]>([
    ["percent is a hundredth, after + too", "200 + 10%", 200.1],
    ["percent before a sign is not a remainder", "10% - 3", -2.9],
    ["percent before a sign, close together", "10%-3", -2.9],
    ["percent before a sign, both apart", "10 % - 3", -2.9],
    ["a percentage of something is a product", "15% of 200 + 1", 31],
    ["of holds as tight as a product", "10% of 2^3 / 4", 0.2],
    ["percent repeats", "50%%", 0.005],
    ["percent holds tighter than a power", "16^50%", 4],
    ["a remainder has the sign of the dividend", "-7 % 3", -1],
    ["a remainder before a bracket", "10 % (-3)", 1],
    ["a remainder of decimals is exact", "5.5 % 0.1", 0],
    ["halves are rounded away from zero", "round(2.5)", 3],
    ["negative halves too", "round(-2.5)", -3],
    ["round takes places", "round(2.675, 2)", 2.68],
    ["round takes places before the point", "round(1250, -2)", 1300],
    ["log is to base 10", "log(1000)", 3],
    ["log takes a base", "log(8, 2)", 3],
    ["ln is natural", "ln(e^2)", 2],
    ["a factorial holds tighter than a sign", "-3!", -6],
    ["a sign holds looser than a power", "-2 ** 2", -4],
    ["powers group from the right", "2^3^2", 512],
    ["0^0 is 1", "0^0", 1],
    ["angles are in radians", "degrees(atan(1)) + radians(0)", 45],
    ["names are read in any case", "SQRT(9) + Pi - PI", 3],
    ["typographic signs are read", "5 × 3 ÷ 2 − 1·1", 6.5],
    ["ceil, trunc, sign, abs", "ceil(-1.5) + trunc(-1.9) + sign(-3) + abs(-4)", 1],
    ["gcd and lcm", "gcd(12, 18) + lcm(4, 6)", 18],
    ["sum, mean, hypot, cbrt", "sum(1, 2) + mean(1, 2, 6) + hypot(3, 4) + cbrt(-27)", 8],
    [
      "exp, log2, asin, acos, sinh, cosh, tanh",
      "exp(0) + log2(8) + asin(0) + acos(1) + sinh(0) + cosh(0) + tanh(0)",
      5,
    ],
  ])("%s", (_name, expression, value) => {
    expect(calculate(expression).value).toBe(value);
  });
});

describe("a sum with a percentage", () => {
  it.each<[string, RegExp]>([
    ["200 + 15%", /^% divides by 100 .*15% more than 200, write 200 \* \(1 \+ 15%\)$/],
    ["(200 - 15%) * 2", /15% less than 200, write 200 \* \(1 - 15%\)$/],
    ["max(1, (100 + 50) + 15%)", /15% more than x, write x \* \(1 \+ 15%\)$/],
    ["sum([-(9 + 5%)])", /5% more than 9/],
  ])("%s has a note", (expression, note) => {
    expect(calculate(expression).note).toMatch(note);
  });

  it.each(["200 * (1 + 15%)", "100% - 15%", "10% + 5% - 1%", "200 * 15%", "-5% + 3%", "15% of 200 + 1", "1 - 50%"])(
    "%s has none",
    (expression) => {
      expect(calculate(expression).note).toBeUndefined();
    },
  );
});

describe("each error has its class and says what to write:", () => {
  it.each<[unknown, string, RegExp]>([
    [12, "INVALID_TYPE", /must be a string/],
    ["1".repeat(4_097), "INPUT_TOO_LONG", /at most 4096 characters/],
    ["1+".repeat(1_001), "TOO_COMPLEX", /at most 2000 numbers/],
    [`${"(".repeat(101)}1${")".repeat(101)}`, "TOO_COMPLEX", /at most 100 levels/],
    ["", "SYNTAX", /expected a number, a function or a bracket, but the expression ends/],
    ["2 * (3 + 4", "SYNTAX", /expected an operator or \), but the expression ends/],
    ["2 pi", "SYNTAX", /character 3.*write \* to multiply/],
    ["1,000", "SYNTAX", /character 2.*without thousands separators/],
    ["15 of 200", "SYNTAX", /not of/],
    ["3 # 4", "SYNTAX", /unexpected "#" at character 3/],
    ["3!!", "SYNTAX", /\(n!\)!/],
    ["sqrt", "SYNTAX", /write sqrt\(…\)/],
    ["10 % -3", "SYNTAX", /a % \(-b\) for the remainder, or \(a%\) - b/],
    ["10 % +3", "SYNTAX", /% before a sign is ambiguous/],
    ["sin(90 deg)", "SYNTAX", /not deg; .*sin\(radians\(90\)\)/],
    ["sin(90°)", "SYNTAX", /character 7; .*sin\(radians\(90\)\)/],
    ["price * 2", "UNKNOWN_IDENTIFIER", /^price is not known; known names: pi, tau, e, abs/],
    [`${"x".repeat(1_000)}(1)`, "UNKNOWN_IDENTIFIER", /^x{31}… is not known/],
    ['round(1, 2, "up", 4)', "ARITY", /round takes 1 to 3 arguments, not 4/],
    ["sqrt(1, 2)", "ARITY", /sqrt takes 1 argument, not 2/],
    ["max()", "ARITY", /max takes at least 1 argument, not 0/],
    ["1 / (1/3 * 3 - 1)", "DIVISION_BY_ZERO", /divisor is zero/],
    ["1 / sin(pi)", "DIVISION_BY_ZERO", /divisor is zero/],
    ["0^-1", "DIVISION_BY_ZERO", /divisor is zero/],
    ["(-8)^(1/3)", "DOMAIN", /cbrt/],
    ["tan(pi / 2)", "DOMAIN", /odd multiples/],
    ["acos(2)", "DOMAIN", /no real value/],
    ["log(5, 1)", "DOMAIN", /can't be 1/],
    ["2.5!", "DOMAIN", /whole number/],
    ["round(1, 0.5)", "DOMAIN", /whole number of places/],
    ["gcd(1.5, 2)", "DOMAIN", /whole numbers/],
    ["171!", "OVERFLOW", /170/],
    ["exp(1000)", "OVERFLOW", /too large/],
    ["2^1024", "OVERFLOW", /too large/],
  ])("%s", (expression, code, message) => {
    const failure = (() => {
      try {
        return calculate(expression);
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(CalculatorError);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
