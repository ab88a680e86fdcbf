import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;
export const KIB = 1_024;
export const MIB = 1_048_576;
export const MB = 1_000_000;

const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const NAMED: ReadonlyMap<string, number> = new Map([
  ...WORDS.map((word, number) => [word, number] as const),
  ...["a", "second", "minute", "hour", "day"].map((word) => [word, 1] as const),
  ["half", 0.5],
  ["thirty", 30],
  ["hundred", 100],
]);

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

/** The number in a sentence of a page, as a page writes it: "10,000", "ten", or "a" or a unit for one. */
function statedNumber(page: string, sentence: RegExp): number {
  const [, text] = sentence.exec(read(`docs/${page}.md`)) ?? [];
  if (text === undefined) throw new Error(`docs/${page}.md: expected a sentence that matches ${sentence}`);
  const word = text.trim().toLowerCase();
  return NAMED.get(word) ?? Number(word.replaceAll(",", ""));
}

/**
 * A number from the source, often one that its module does not export.
 *
 * @param where - the file, without `packages/` and `.ts`, and the name of a constant, of a member, or of both.
 */
export function sourceNumber(where: string): number {
  const [path = "", name = ""] = where.split(" ");
  const declared = name.replace(".", " = { ");
  const text = new RegExp(`\\b${declared}(?:: [\\w<>]+)?(?: =|:) ([\\d_.* ]+)n?[;,} ]`).exec(
    read(`packages/${path}.ts`),
  );
  if (text?.[1] === undefined) throw new Error(`packages/${path}.ts: expected a number ${name}`);
  return text[1].split("*").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1);
}

/** A number that a page states, where the source has it, and the unit of the page in that of the source. */
export type StatedNumber = readonly [page: string, sentence: RegExp, where: string, unit?: number];

/** Declares a test for each number. */
export function testStatedNumbers(numbers: readonly StatedNumber[]): void {
  for (const [page, sentence, where, unit = 1] of numbers) {
    it(`docs/${page}.md: ${sentence} is ${where}`, () => {
      expect(statedNumber(page, sentence)).toBeCloseTo(sourceNumber(where) / unit, 9);
    });
  }
}
