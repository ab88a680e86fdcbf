import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Draft } from "../../src/json-schema/reading/drafts.ts";
import { createSchemaValidator } from "../../src/json-schema/schema-validator.ts";
import { assertsFormats, DEVIATIONS, documentsOf, SUITE_DRAFTS, type SuiteCase, suiteCases } from "./schema-suite.ts";

const BOUNDS = { maxViolations: 5, maxSteps: 5_000_000 };

/** What we say, or why nothing. */
function verdict(draft: Draft, one: SuiteCase): boolean | string {
  const { schema, data } = one;
  try {
    const documents = documentsOf(one);
    const assertFormats = assertsFormats(draft, one);
    const validator = createSchemaValidator({ schema, draft, documents, assertFormats }, BOUNDS);
    const [problem] = validator.schemaViolations.kept;
    if (problem !== undefined) return `refused the schema: ${problem.path} ${problem.message}`;
    return validator.validate(data).count === 0;
  } catch (error) {
    return String(error);
  }
}

const results = SUITE_DRAFTS.map((draft) => {
  const outcomes = suiteCases(draft).map((one) => ({ ...one, isPassed: verdict(draft, one) === one.isValid }));
  return { draft, outcomes };
});

describe("the official JSON-Schema-Test-Suite", () => {
  it("is passed but for the deviations that are named", () => {
    const failed = results.flatMap(({ draft, outcomes }) =>
      outcomes.filter(({ isPassed }) => !isPassed).map(({ file, name }) => `draft-${draft} ${file}: ${name}`),
    );
    expect(failed.sort()).toEqual(Object.keys(DEVIATIONS).sort());
  });

  it("comes out as the documentation's table says", () => {
    const rows = results.flatMap(({ draft, outcomes }) =>
      (["required", "optional", "optional formats"] as const).map((part) => {
        const ofPart = outcomes.filter((one) => one.part === part);
        const passed = ofPart.filter(({ isPassed }) => isPassed).length;
        return `| ${draft} | ${part} | ${passed} of ${ofPart.length} |`;
      }),
    );
    const page = readFileSync(new URL("../../../../docs/json-validator.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => /^\| (?:0\d|20\d\d-\d\d) \| \w+/.test(line))).toEqual(rows);
    for (const reason of Object.values(DEVIATIONS)) expect(page).toContain(reason);
  });
});
