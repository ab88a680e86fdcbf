import { describe, expect, it } from "vitest";
import { assertPassed } from "../../src/report/assert-passed.ts";
import { buildReport } from "../../src/report/build-report.ts";
import { compareReports } from "../../src/report/compare-reports.ts";
import { type CaseReport, type EvalReport, evalReportSchema, type Outcome } from "../../src/report/report-schema.ts";
import { toJunit } from "../../src/report/to-junit.ts";
import { toMarkdown } from "../../src/report/to-markdown.ts";
import type { Scores } from "../../src/scorers/scores.ts";

interface Parts {
  readonly outcome?: Outcome;
  readonly tags?: readonly string[];
  readonly scores?: Scores;
  readonly reason?: string;
  readonly file?: string;
}

function caseOf(
  caseId: string,
  { outcome = "passed", tags = [], scores = {}, reason = "", file }: Parts = {},
): CaseReport {
  const check = { check: "assert[0]", metric: "equals", weight: 1, reason };
  const passed = outcome === "passed";
  const run = {
    ...{ executionId: "exec_01jd3v0c8me9kxt3f6r2p5q7sa", mode: "live" as const, outcome, scores, tookMs: 1_500 },
    checks: [{ ...check, passed, score: passed ? 1 : 0 }],
  };
  return {
    ...{ caseId, tags: [...tags], outcome, scores },
    ...(file === undefined ? {} : { file, line: 3 }),
    runs: outcome === "skipped" ? [] : [run],
  };
}

function reportOf(...cases: readonly CaseReport[]): EvalReport {
  return buildReport(cases, { startedAt: "2026-11-29T12:00:00.000Z", tookMs: 2_000, costUsd: 0.25 });
}

describe("a report", () => {
  const report = reportOf(
    caseOf("a", { tags: ["x", "y"], scores: { arguments: 1, cost_usd: 0.1 } }),
    caseOf("b", { tags: ["x"], outcome: "failed", scores: { arguments: 0.5 } }),
    caseOf("c", { outcome: "error" }),
    caseOf("d", { outcome: "skipped" }),
  );

  it("adds up cases, for all of them, each tag and each metric", () => {
    expect(report.summary).toEqual({
      ...{ cases: 4, passed: 1, failed: 1, errors: 1, skipped: 1, runs: 3, costUsd: 0.25 },
      scores: { arguments: 0.75, cost_usd: 0.1 },
    });
    expect(report.tags["x"]).toMatchObject({ cases: 2, passed: 1, scores: { arguments: 0.75 } });
    expect(report.tags["y"]).toMatchObject({ cases: 1, passed: 1, scores: { arguments: 1 } });
    expect(report.metrics["equals"]).toBeCloseTo(1 / 3);
  });

  it("can be read again", () => {
    expect(evalReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });

  it("is an error of a test unless all cases passed", () => {
    expect(() => assertPassed(report)).toThrow(/^3 of 4 cases did not pass\nb failed\n {2}assert\[0\]: \nc error\n/);
    expect(() => assertPassed(reportOf(caseOf("a")))).not.toThrow();
  });
});

describe("JUnit", () => {
  const xml = toJunit(
    reportOf(
      caseOf("a", { file: "one.yaml" }),
      caseOf("b", { file: "two.yaml", outcome: "failed", reason: 'got "<b>\u0000\u001b[31m"' }),
      caseOf("c", { file: "two.yaml", outcome: "error", reason: "no judge" }),
      caseOf("d", { file: "two.yaml", outcome: "skipped" }),
    ),
  );

  it("has a suite for each file, and counts", () => {
    expect(xml).toContain('<testsuites name="yagate eval" tests="4" failures="1" errors="1" skipped="1" time="2.000">');
    expect(xml).toContain('<testsuite name="two.yaml" tests="3" failures="1" errors="1" skipped="1" time="3.000"');
    expect(xml).toContain('<testcase classname="one.yaml" name="a" time="1.500"/>');
    expect(xml).toContain('name="d" time="0.000"><skipped message="skipped, because the cost limit was reached"/>');
  });

  it("escapes markup and contains no control character", () => {
    expect(xml).toContain('<failure message="assert[0]: got &quot;&lt;b&gt;??[31m&quot;">');
    expect([...xml].filter((character) => character < " " && character !== "\n")).toEqual([]);
  });
});

describe("Markdown", () => {
  it("has scores, tags and reasons, in which nothing is markup", () => {
    const text = toMarkdown(
      reportOf(
        caseOf("a", { tags: ["x|y"], scores: { arguments: 1 } }),
        caseOf("b", { outcome: "failed", reason: "got *bold*\n| cell |", scores: { arguments: 0 } }),
      ),
    );
    expect(text).toContain("## Evals: 1 of 2 cases passed");
    expect(text).toContain("| all cases | 1 of 2 | 0.50 |");
    expect(text).toContain("| tag x\\|y | 1 of 1 | 1.00 |");
    expect(text).toContain("- **b**: assert\\[0\\]: got \\*bold\\* \\| cell \\|");
  });
});

describe("a comparison with a baseline", () => {
  const before = reportOf(
    caseOf("a", { scores: { arguments: 1, latency_ms: 5 } }),
    caseOf("b", { scores: { arguments: 0.9 } }),
    caseOf("c", { outcome: "failed" }),
    caseOf("gone"),
  );

  it("names what broke, what was repaired, and what is new or gone", () => {
    const now = reportOf(
      caseOf("a", { outcome: "failed", scores: { arguments: 1 } }),
      caseOf("b", { scores: { arguments: 0.9 } }),
      caseOf("c"),
      caseOf("new", { outcome: "error" }),
    );
    expect(compareReports(now, before, 0)).toEqual({
      ...{ broken: ["a"], repaired: ["c"], missing: ["gone"], newFailures: ["new"], regressions: [] },
    });
  });

  it.each<[string, number, number, number]>([
    ["a drop below the threshold", 0.86, 0.05, 0],
    ["a drop of the threshold", 0.8, 0.05, 0],
    ["a drop above the threshold", 0.78, 0.05, 1],
    ["a drop without a threshold", 0.88, 0, 1],
    ["a rise", 1, 0, 0],
  ])("judges %s", (_name, value, threshold, regressions) => {
    const now = reportOf(
      caseOf("a", { scores: { arguments: 1, latency_ms: 500 } }),
      caseOf("b", { scores: { arguments: value } }),
      caseOf("c", { outcome: "failed" }),
    );
    expect(compareReports(now, before, threshold).regressions).toHaveLength(regressions);
  });

  it("counts the share of passed cases among those that both have", () => {
    const now = reportOf(caseOf("a", { outcome: "failed" }), caseOf("b"), caseOf("c", { outcome: "failed" }));
    const { regressions } = compareReports(now, before, 0.1);
    expect(regressions).toEqual([{ name: "passed", before: 2 / 3, after: 1 / 3 }]);
  });
});
