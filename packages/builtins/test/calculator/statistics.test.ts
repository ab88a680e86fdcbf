import { describe, expect, it } from "vitest";
import { calculate } from "../../src/calculator/calculate.ts";
import { readGivenLists } from "../../src/calculator/given-lists.ts";

const worth = (expression: string, values?: readonly number[], yValues?: readonly number[]) =>
  calculate(expression, { lists: readGivenLists({ values, yValues }, 10_000) });
const alternating = (first: number, low: number, high: number) => [
  first,
  ...Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? low : high)),
];

/** NIST Statistical Reference Datasets, Norris: 36 points of ozone monitors, [y, x]. */
const NORRIS: readonly (readonly [number, number])[] = [
  ...([
    [0.1, 0.2],
    [338.8, 337.4],
    [118.1, 118.2],
    [888.0, 884.6],
    [9.2, 10.1],
    [228.1, 226.5],
  ] as const),
  ...([
    [668.5, 666.3],
    [998.5, 996.3],
    [449.1, 448.6],
    [778.9, 777.0],
    [559.2, 558.2],
    [0.3, 0.4],
  ] as const),
  ...([
    [0.1, 0.6],
    [778.1, 775.5],
    [668.8, 666.9],
    [339.3, 338.0],
    [448.9, 447.5],
    [10.8, 11.6],
  ] as const),
  ...([
    [557.7, 556.0],
    [228.3, 228.1],
    [998.0, 995.8],
    [888.8, 887.6],
    [119.6, 120.2],
    [0.3, 0.3],
  ] as const),
  ...([
    [0.6, 0.3],
    [557.6, 556.8],
    [339.3, 339.1],
    [888.0, 887.2],
    [998.5, 999.0],
    [778.9, 779.0],
  ] as const),
  ...([
    [10.2, 11.1],
    [117.6, 118.3],
    [228.9, 229.2],
    [668.4, 669.1],
    [449.2, 448.9],
    [0.2, 0.5],
  ] as const),
];

describe("certified values of the NIST Statistical Reference Datasets:", () => {
  it.each<[string, readonly number[], number, number]>([
    ["NumAcc1", [10_000_001, 10_000_003, 10_000_002], 10_000_002, 1],
    ["NumAcc2", alternating(1.2, 1.1, 1.3), 1.2, 0.1],
    ["NumAcc3", alternating(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_000_000.2, 0.1],
    ["NumAcc4", alternating(10_000_000.2, 10_000_000.1, 10_000_000.3), 10_000_000.2, 0.1],
  ])("%s, where doubles lose most of the digits", (_name, values, mean, deviation) => {
    expect(worth("mean(values)", values).value).toBe(mean);
    expect(worth("stdev(values)", values).value).toBe(deviation);
  });

  it("Norris, a line through 36 points", () => {
    const line = worth(
      "linear_regression(values, yValues)",
      NORRIS.map(([, x]) => x),
      NORRIS.map(([y]) => y),
    );
    expect(line.details?.["slope"]).toBeCloseTo(1.00211681802045, 14);
    expect(line.details?.["intercept"]).toBeCloseTo(-0.262323073774029, 14);
    expect(line.details?.["rSquared"]).toBeCloseTo(0.999993745883712, 14);
  });
});

const LIST = "[10.5, 3.25, 8, 8, -2.75, 19, 4.5, 8.125, 0.5, 7]";
const OTHER = "[2.1, 1.4, 3.3, 3.0, -0.5, 6.2, 1.9, 2.7, 0.3, 2.2]";

describe("what the module statistics of Python 3 gives:", () => {
  it.each<[string, number]>([
    [`mean(${LIST})`, 6.6125],
    [`median(${LIST})`, 7.5],
    [`variance(${LIST})`, 35.07100694444444],
    [`pvariance(${LIST})`, 31.56390625],
    [`stdev(${LIST})`, 5.92207792455017],
    [`pstdev(${LIST})`, 5.618176416774396],
    [`percentile(${LIST}, 95)`, 15.175],
    [`quantile(${LIST}, 0.9)`, 11.35],
    [`product(${LIST})`, -14603025.9375],
    [`correlation(${LIST}, ${OTHER})`, 0.9580864897420749],
    [`covariance(${LIST}, ${OTHER})`, 10.307777777777778],
    [`linear_regression(${LIST}, ${OTHER})`, 0.29391165740140285],
    ["geomean([1.05, 1.12, 0.97, 1.2, 1.08])", 1.0813264132539249],
    ["harmean([40, 60, 80])", 55.38461538461538],
  ])("%s", (expression, figure) => {
    expect(Number(worth(expression).value)).toBeCloseTo(figure, 12);
  });

  it.each<[string, readonly number[]]>([
    [`quartiles(${LIST})`, [3.5625, 7.5, 8.09375]],
    ["mode([1, 2, 2, 3, 3])", [2, 3]],
  ])("%s", (expression, figures) => {
    expect(worth(expression).value).toEqual(figures);
  });
});

describe("a list", () => {
  it.each<[string, unknown]>([
    ["mean([1, 2, 3])", 2],
    ["mean(1, 2, 3)", 2],
    ["mean(values)", 2.5],
    ["MEAN(Values)", 2.5],
    ["mean([values, 15])", 5],
    ["max(values) - min(values)", 3],
    ["range(values)", 3],
    ["count(values)", 4],
    ["sum(values) * 10%", 1],
    ["sort([3, -1, 1/3])", [-1, 0.333333333333333, 3]],
    ["mode([7])", 7],
    ["median([1, 1/3])", 0.666666666666667],
    ["sum(split(100, 3))", 100],
    ["average(1, 2) + stddev([1, 3]) ^ 2 + var_p(2, 2)", 3.5],
    ["correlation(values, [2, 4, 6, 8])", 1],
    ["quantile(values, 0) + quantile(values, 1)", 5],
    ["sum([1/3, 1/3, 1/3, -1])", 0],
  ])("%s", (expression, value) => {
    expect(worth(expression, [1, 2, 3, 4]).value).toEqual(value);
  });

  it("has numbers as they were written, not as doubles hold them", () => {
    expect(
      worth(
        "sum(values)",
        Array.from({ length: 10 }, () => 0.1),
      ),
    ).toEqual({ value: 1, exact: "1" });
  });

  it.each<[string, string, RegExp]>([
    ["[1, 2, 3]", "SYNTAX", /a list alone has no value: write, for example, mean/],
    ["[1, 2] * 2", "TYPE", /\* needs a number, not a list/],
    ["abs([1, 2])", "TYPE", /abs needs a number, not a list/],
    ["mean([])", "DOMAIN", /mean needs at least 1 value/],
    ["max([])", "DOMAIN", /max needs at least 1 value/],
    ["hypot([])", "DOMAIN", /hypot needs at least 1 value/],
    ["stdev([1])", "DOMAIN", /a sample needs at least 2 values/],
    ["mode([1, 2, 3])", "DOMAIN", /no value occurs twice/],
    ["percentile(1, 95)", "TYPE", /percentile needs a list: write/],
    ["percentile([1, 2], 95%)", "DOMAIN", /1 to 100.*without %/],
    ["percentile([1, 2], 0.5)", "DOMAIN", /write quantile\(values, 0\.5\)$/],
    ["percentile([1, 2], 101)", "DOMAIN", /1 to 100/],
    ["quantile([1, 2], 95)", "DOMAIN", /share from 0 to 1/],
    ["correlation([1, 2], [1, 2, 3])", "DOMAIN", /not 2 and 3/],
    ["correlation([1, 1], [1, 2])", "DOMAIN", /values are not all the same/],
    ["linear_regression([1, 1], [1, 2])", "DOMAIN", /two different x values/],
    ["geomean([1, -1])", "DOMAIN", /at least 0/],
    ["harmean([0, 1])", "DOMAIN", /above zero/],
    ["mean(values)", "UNKNOWN_IDENTIFIER", /values was not passed/],
    ["mean(yValues)", "UNKNOWN_IDENTIFIER", /yValues was not passed/],
    ["mean([1, 2", "SYNTAX", /a comma or \]/],
    ['mean(["a"])', "SYNTAX", /not a quoted string/],
  ])("%s is refused", (expression, code, message) => {
    expect(() => worth(expression)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });
});

describe("10 000 numbers", () => {
  const values = Array.from({ length: 10_000 }, (_, index) => Math.sin(index) * 1e6);
  const extreme = Array.from(
    { length: 10_000 },
    (_, index) => (index % 2 === 0 ? 1.7e140 : 3e-140) * Math.sin(index + 1),
  );

  it.each([
    ["median(values)", values],
    ["stdev(values)", values],
    ["linear_regression(values, yValues)", values],
    ["median(values)", extreme],
    ["mean(values) + max(values)", extreme],
    ["mean(values)+".repeat(200).slice(0, -1), values],
    ["median(values)+".repeat(200).slice(0, -1), extreme],
    ["stdev(values)+".repeat(200).slice(0, -1), extreme],
    ["covariance(values, yValues)+".repeat(100).slice(0, -1), extreme],
    ["linear_regression(values, yValues)+".repeat(100).slice(0, -1), extreme],
    ["hypot(values)+".repeat(200).slice(0, -1), extreme],
    [`count([${"values,".repeat(500)}1])`, values],
    ["count([values, values])+".repeat(100).slice(0, -1), values],
  ])("%s takes under 100 ms, or is refused", (expression, list) => {
    const lists = readGivenLists({ values: list, yValues: list }, 10_000);
    // CPU time, and the best of three: a busy machine must not look like an expensive expression.
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      try {
        calculate(expression, { lists });
      } catch (error) {
        expect(["TOO_COMPLEX", "OVERFLOW"]).toContain(Object(error).code);
      }
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(Math.min(...times)).toBeLessThan(100);
  });

  it.each<[string, unknown, string]>([
    ["a list of more", Array.from({ length: 10_001 }, () => 1), "INPUT_TOO_LONG"],
    ["a text in a list", ["1"], "INVALID_TYPE"],
    ["no list", 5, "INVALID_TYPE"],
  ])("%s is refused", (_name, list, code) => {
    expect(() => readGivenLists({ values: list }, 10_000)).toThrow(expect.objectContaining({ code }));
  });
});
