import {
  type CaseReport,
  type Comparison,
  type EvalReport,
  type GroupReport,
  reasonsOf,
  SHARE_SCORES,
} from "@yagate/evals";
import { toVisibleLine } from "@yagate/protocol";
import { styled } from "../frame/style-text.ts";
import { elapsed } from "../text/duration.ts";
import { table } from "../text/table.ts";

const LABELS = { passed: "passed", failed: "FAILED", error: "ERROR", skipped: "skipped" } as const;

/** Formats a report for people: a table of the cases, why some did not pass, and the scores of all and of each tag. */
export function printReport(report: EvalReport, comparison: Comparison | undefined): string {
  const { cases, summary, tags, costLimitUsd } = report;
  const open = cases.filter(({ outcome }) => outcome === "failed" || outcome === "error");
  return [
    table([["CASE", "RESULT", "RUNS", "COST", "TIME"], ...cases.map(caseRow)]),
    ...withSameError(open).flatMap((group) => ["", ...whyLines(group)]),
    "",
    table([["SCORE", "ALL", ...Object.keys(tags)], ...scoreRows(report)]),
    ...(comparison === undefined ? [] : ["", ...comparisonLines(comparison)]),
    "",
    `${conclusion(summary)} in ${elapsed(report.tookMs)}, ${dollars(summary.costUsd)} USD`,
    ...(costLimitUsd === undefined ? [] : [`The cost limit of ${costLimitUsd} USD was reached: cases were skipped.`]),
  ].join("\n");
}

function caseRow({ caseId, outcome, runs, scores }: CaseReport): readonly string[] {
  const tookMs = runs.reduce((sum, run) => sum + run.tookMs, 0);
  const mode = runs.some((run) => run.mode === "live") || runs.length === 0 ? "" : " recorded";
  const cost = scores.cost_usd === undefined ? "" : dollars(scores.cost_usd * runs.length);
  return [caseId, LABELS[outcome], `${runs.length}${mode}`, cost, elapsed(tookMs)];
}

/** Number of cases of one group that are named. */
const MAX_NAMED = 5;

/** Groups cases that could not be started for the same reason, such as an agent that does not exist. */
function withSameError(open: readonly CaseReport[]): readonly (readonly CaseReport[])[] {
  const keyOf = (one: CaseReport) =>
    one.runs.every(({ executionId }) => executionId === null) ? reasonsOf(one).join("\n") : one.caseId;
  return [...Map.groupBy(open, keyOf).values()];
}

function whyLines([one, ...others]: readonly CaseReport[]): readonly string[] {
  if (one === undefined) return [];
  const [id] = one.runs.flatMap(({ outcome, executionId }) => (outcome === "passed" ? [] : (executionId ?? [])));
  const place = one.file === undefined ? "" : ` ${one.file}:${one.line ?? 1}`;
  const named = others.slice(0, MAX_NAMED - 1).map(({ caseId }) => caseId);
  const more = others.length - named.length;
  const also = others.length === 0 ? "" : `, also ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
  return [
    styled("red", toVisibleLine(`✕ ${one.caseId}${place}${id === undefined ? "" : ` ${id}`}${also}`)),
    ...reasonsOf(one).map((reason) => `  ${toVisibleLine(reason)}`),
  ];
}

function scoreRows({ summary, tags }: EvalReport): readonly (readonly string[])[] {
  const groups: readonly GroupReport[] = [summary, ...Object.values(tags)];
  const names = SHARE_SCORES.filter((name) => summary.scores[name] !== undefined);
  return [
    ["passed", ...groups.map(({ passed, cases }) => `${passed}/${cases}`)],
    ...names.map((name) => [name, ...groups.map(({ scores }) => scores[name]?.toFixed(2) ?? "")]),
  ];
}

function comparisonLines({ regressions, broken, repaired, newFailures, missing }: Comparison): readonly string[] {
  const list = (label: string, ids: readonly string[]) => (ids.length === 0 ? [] : [`${label}: ${ids.join(", ")}`]);
  return [
    ...(regressions.length === 0 ? ["No regression against the baseline."] : []),
    ...regressions.map(({ name, before, after }) => `Regression: ${name} ${before.toFixed(3)} → ${after.toFixed(3)}`),
    ...list("Passed before, not now", broken),
    ...list("Pass now, not before", repaired),
    ...list("New cases that do not pass", newFailures),
    ...list("Only in the baseline", missing),
  ].map(toVisibleLine);
}

function conclusion({ cases, passed, failed, errors, skipped }: GroupReport): string {
  const rest = [
    [failed, "failed"],
    [errors, "without a verdict"],
    [skipped, "skipped"],
  ] as const;
  const parts = rest.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  return [`${passed} of ${cases} cases passed`, ...parts].join(", ");
}

function dollars(usd: number): string {
  return usd === 0 ? "0" : usd.toFixed(4);
}
