import { SHARE_SCORES } from "../cases/case-schema.ts";
import { meanScores } from "./build-report.ts";
import type { CaseReport, EvalReport } from "./report-schema.ts";

/** How a report differs from an earlier one, over the cases that both contain. */
export interface Comparison {
  /** Cases that passed before and do not pass now. */
  readonly broken: readonly string[];
  /** Cases that did not pass before and pass now. */
  readonly repaired: readonly string[];
  /** Cases that only the earlier report contains. */
  readonly missing: readonly string[];
  /** Cases that only the new report contains and that do not pass. */
  readonly newFailures: readonly string[];
  /** The values that are worse than before by more than the threshold. */
  readonly regressions: readonly Regression[];
}

/** A value that got worse: the share of passed cases, or the mean of a score. */
export interface Regression {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** A difference that only rounding can explain. */
const ROUNDING = 1e-9;

/**
 * Compares a report with an earlier one.
 *
 * @param threshold - how far the share of passed cases and the mean of each score may fall, 0 to 1.
 */
export function compareReports(now: EvalReport, before: EvalReport, threshold: number): Comparison {
  const earlier = new Map(before.cases.map((one) => [one.caseId, one]));
  const pairs = now.cases.flatMap((after) => {
    const found = earlier.get(after.caseId);
    return found === undefined ? [] : [{ after, before: found }];
  });
  const known = new Set(now.cases.map(({ caseId }) => caseId));
  return {
    broken: pairs.filter((pair) => isPassed(pair.before) && !isPassed(pair.after)).map(({ after }) => after.caseId),
    repaired: pairs.filter((pair) => !isPassed(pair.before) && isPassed(pair.after)).map(({ after }) => after.caseId),
    missing: before.cases.filter(({ caseId }) => !known.has(caseId)).map(({ caseId }) => caseId),
    newFailures: now.cases.filter((one) => !earlier.has(one.caseId) && !isPassed(one)).map(({ caseId }) => caseId),
    regressions: regressionsOf(
      pairs.map(({ after }) => after),
      pairs.map((pair) => pair.before),
      threshold,
    ),
  };
}

function regressionsOf(
  after: readonly CaseReport[],
  before: readonly CaseReport[],
  threshold: number,
): readonly Regression[] {
  const [scoresAfter, scoresBefore] = [after, before].map((cases) => meanScores(cases.map(({ scores }) => scores)));
  const values = [
    { name: "passed", before: passRate(before), after: passRate(after) },
    ...SHARE_SCORES.map((name) => ({ name, before: scoresBefore?.[name], after: scoresAfter?.[name] })),
  ];
  return values.flatMap(({ name, before: old, after: current }) =>
    old !== undefined && current !== undefined && old - current > threshold + ROUNDING
      ? [{ name, before: old, after: current }]
      : [],
  );
}

function passRate(cases: readonly CaseReport[]): number | undefined {
  return cases.length === 0 ? undefined : cases.filter(isPassed).length / cases.length;
}

function isPassed({ outcome }: CaseReport): boolean {
  return outcome === "passed";
}
