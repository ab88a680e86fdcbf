import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { calculate } from "../../src/calculator/calculate.ts";

/** POSIX `bc -l` with 60 digits: an implementation of decimal arithmetic that is not ours. */
function bc(expressions: readonly string[]): readonly string[] | undefined {
  const { status, stdout } = spawnSync("bc", ["-l"], {
    input: `scale=60\n${expressions.join("\n")}\n`,
    encoding: "utf8",
    env: { ...process.env, BC_LINE_LENGTH: "0" },
    timeout: 5_000,
  });
  return status === 0 ? stdout.trim().split("\n") : undefined;
}

/** Ours, and bc's where it is written differently: s(x) sine, c(x) cosine, a(x) arctangent, l(x) logarithm, e(x) exp. */
const CASES: readonly (readonly [string, string?])[] = [
  ["0.1 + 0.2"],
  ["1.1 * 1.1"],
  ["10.10 - 9.99"],
  ["123456789.987654321 * 987654321.123456789"],
  ["2 ^ 200"],
  ["3 ^ 100 / 7 ^ 30"],
  ["1 / 7"],
  ["22 / 7 - 355 / 113"],
  ["(1250.50 * 3 - 200) / 1.19"],
  ["1000 * 1.05 ^ 30"],
  ["250000 * (0.045 / 12) / (1 - (1 + 0.045 / 12) ^ -360)"],
  ["-7 / 3"],
  ["99999999999999999999 + 1"],
  ["1 - 0.9 - 0.1"],
  ["sqrt(2)"],
  ["sqrt(12345678987654321)"],
  ["sqrt(0.0001)"],
  ["ln(10)", "l(10)"],
  ["log10(2)", "l(2)/l(10)"],
  ["log(1024, 2)", "l(1024)/l(2)"],
  ["exp(1)", "e(1)"],
  ["exp(-2.5)", "e(-2.5)"],
  ["sin(1)", "s(1)"],
  ["cos(0.5)", "c(0.5)"],
  ["tan(0.7)", "s(0.7)/c(0.7)"],
  ["atan(1) * 4", "a(1)*4"],
  ["2 ^ 0.5", "e(0.5*l(2))"],
  ["sinh(1)", "(e(1)-e(-1))/2"],
  ["20!", "2432902008176640000"],
  ["mean([3.3, 4.4, 5.6])", "(3.3+4.4+5.6)/3"],
];
const expected = bc(CASES.map(([ours, theirs = ours]) => theirs));

describe.skipIf(expected === undefined)("a calculation gives what bc gives:", () => {
  it.each(CASES.map(([ours], index) => [ours, expected?.[index] ?? ""] as const))("%s", (expression, digits) => {
    const { value, exact } = calculate(expression);
    const theirs = Number(digits);
    expect(digits).toMatch(/^-?\d*\.?\d+$/);
    expect(Math.abs(Number(value) - theirs)).toBeLessThanOrEqual(1e-14 * Math.abs(theirs));
    const trimmed = digits.includes(".") ? digits.replace(/0+$/, "").replace(/\.$/, "") : digits;
    if (typeof exact === "string" && exact.length < 60) expect(exact).toBe(trimmed.replace(/^(-?)(?=\.|$)/, "$10"));
  });
});
