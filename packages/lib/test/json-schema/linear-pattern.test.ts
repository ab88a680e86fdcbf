import { describe, expect, it } from "vitest";
import { LinearPattern } from "../../src/json-schema/linear-pattern.ts";

const TEXTS = [
  ...["", "a", "é", "Z", "π", "0", "৪", "_", "-", "@", "/", "\\c", "$", "^", "]", "}", "x{", "{2", "ab", "AB", "a-b"],
  ...["\n", "\r", "\t", "\u000b", "\u0003", "\b", " ", "\u00a0", "\ufeff", "\u2028", "\u3000", "😀", "😀a", "\ud83d"],
];

describe("LinearPattern agrees with the engine of JavaScript on", () => {
  it.each([
    ...["^\\s$", "^\\S$", "^[\\s]$", "^[^\\s]$", "^[\\S]$", "^\\d$", "^\\D$", "^\\w$", "^[\\W]$", "^.$", "^[^\\n]$"],
    ...["^\\p{L}$", "^\\p{Letter}$", "^\\P{Letter}$", "^[\\p{L}-]+$", "^\\p{Lu}+$", "^\\p{gc=Nd}$", "^\\p{digit}$"],
    ...["^\\p{Script=Greek}$", "\\p{sc=Latin}", "\\p{Alphabetic}", "\\p{Emoji}", "^\\p{ASCII}$", "^[\\P{ASCII}]$"],
    ...["^😀$", "^[😀]$", "^\\u{1F600}$", "^\\ud83d\\ude00$", "\\u0061", "\\x61", "^\\cC$", "^[\\b]$", "^\\0", "^\\t$"],
    ...["^[\\w-]+$", "^[\\w\\-@]+$", "[a-]", "[-a]", "[\\w-a]", "[\\d.]+", "[^]", "[]", "\\$", "\\^", "^$", "\\/"],
    ...["a{1,2}", "x\\{", "x{", "]", "}", "^{2", "\\@", "\\Z", "\\bab\\b", "(a|b)*?$", "^(?<n>a)b$", "(?i:ab)"],
  ])("%s", (source) => {
    const pattern = new LinearPattern(source);
    const expected = toRegExp(source);
    for (const text of TEXTS) expect([text, pattern.test(text)]).toEqual([text, expected.test(text)]);
  });

  it("every letter, mark and digit of Unicode", () => {
    for (const source of ["\\p{L}", "\\p{LC}", "\\p{M}", "\\p{Nd}", "\\p{Script=Greek}"]) {
      const pattern = new LinearPattern(source);
      const expected = new RegExp(source, "u");
      const differences = [];
      for (let code = 0; code < 0x3_0000; code += 1) {
        const text = String.fromCodePoint(code);
        if (pattern.test(text) !== expected.test(text)) differences.push(code);
      }
      expect(differences).toEqual([]);
    }
  });
});

describe("LinearPattern refuses", () => {
  it.each([
    ["a lookahead", "^(?=a)", /must not use lookahead/],
    ["a lookbehind", "(?<!a)b", /must not use lookahead, lookbehind/],
    ["a back reference", "(a)\\1", /back references/],
    ["a back reference by name", "(?<n>a)\\k<n>", /back references/],
    ["a repetition over 1000", "a{1001}", /repetitions over 1000/],
    ["a property that it has not", "\\p{ID_Start}", /patterns run in linear time/],
    ["a modifier that changes the dot", "(?s:.)", /patterns run in linear time/],
    ["what is no regular expression", "(", /must be a valid regular expression/],
    ["syntax of other engines", "(?P<n>a)", /must be a valid regular expression/],
    ["too large a repetition", "(?:a{100}){100}", /patterns run in linear time|the pattern is too large/],
  ])("%s", (_name, source, message) => {
    expect(() => new LinearPattern(source)).toThrow(message);
  });
});

/** As JSON Schema reads patterns: with the flag, and without it where they are valid only so. */
function toRegExp(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}
