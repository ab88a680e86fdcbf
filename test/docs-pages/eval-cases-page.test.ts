import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ASSERTION_TYPES } from "../../packages/evals/src/cases/assertion-schema.ts";
import {
  budgetSchema,
  caseFileSchema,
  caseSchema,
  defaultsSchema,
  matchModeSchema,
  orderModeSchema,
  SHARE_SCORES,
} from "../../packages/evals/src/cases/case-schema.ts";
import { FILE_LIMITS } from "../../packages/evals/src/cases/yaml-source.ts";
import { MEASURED_SCORES } from "../../packages/evals/src/scorers/scores.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/eval-cases.md";
const page = readFileSync(join(repositoryRoot, PAGE), "utf8");

/** The first column of the only table with these columns, each name in a cell on its own. */
function names(column: string, other: string): readonly string[] {
  return tableRows(PAGE, [column, other]).flatMap((row) => (row[column] ?? "").replaceAll("`", "").split(", "));
}

describe("docs/eval-cases.md", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["field of a case", names("field", "contents"), Object.keys(caseSchema.shape)],
    ["mode of arguments", names("match", "accepts"), matchModeSchema.options],
    ["type of assertion", names("type", "holds if"), ASSERTION_TYPES],
    ["score", names("score", "meaning"), SHARE_SCORES],
  ])("has every %s", (_name, documented, known) => {
    expect(documented.toSorted()).toEqual([...known].toSorted());
  });

  it("has every order", () => {
    expect(names("order", "accepts").toSorted()).toEqual([...orderModeSchema.options].toSorted());
  });

  it("names what defaults cannot contain, each part of a budget, and the measured scores", () => {
    const own = Object.keys(caseSchema.shape).filter((name) => !Object.hasOwn(defaultsSchema.shape, name));
    const sentence = /`defaults` cannot contain ([^.]*)\./.exec(page)?.[1] ?? "";
    expect([...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()).toEqual(own.toSorted());
    const budget = tableRows(PAGE, ["field", "contents"]).find(({ field }) => field === "budget")?.["contents"] ?? "";
    for (const name of Object.keys(budgetSchema.shape)) expect(budget).toContain(`\`${name}\``);
    for (const name of MEASURED_SCORES) expect(page).toContain(`\`${name}\``);
    for (const name of Object.keys(caseFileSchema.shape)) expect(page).toContain(`\`${name}\``);
  });

  it("states the limits of a file", () => {
    const { maxCharacters, maxDepth } = FILE_LIMITS;
    expect(page).toContain(`${maxCharacters.toLocaleString("en")} characters`);
    expect(page).toContain(`${maxDepth} levels of nesting`);
  });
});
