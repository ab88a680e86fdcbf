import { SHARE_SCORES } from "../cases/case-schema.ts";
import { MEASURED_SCORES, type Scores } from "../scorers/scores.ts";
import type { CaseReport, EvalReport, GroupReport, Outcome } from "./report-schema.ts";

/** What a report contains besides its cases. */
export interface ReportFacts {
  readonly startedAt: string;
  readonly tookMs: number;
  readonly costUsd: number;
  readonly costLimitUsd?: number;
}

/** Adds up the reports of cases: for all cases, for each tag and for each metric. */
export function buildReport(cases: readonly CaseReport[], { costUsd, ...facts }: ReportFacts): EvalReport {
  const tags = [...new Set(cases.flatMap((one) => one.tags))].toSorted();
  return {
    ...facts,
    summary: {
      ...groupOf(cases),
      runs: cases.reduce((sum, { runs }) => sum + runs.length, 0),
      costUsd,
    },
    metrics: metricsOf(cases),
    tags: Object.fromEntries(tags.map((tag) => [tag, groupOf(cases.filter((one) => one.tags.includes(tag)))])),
    cases: [...cases],
  };
}

function groupOf(cases: readonly CaseReport[]): GroupReport {
  const count = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length;
  return {
    cases: cases.length,
    passed: count("passed"),
    failed: count("failed"),
    errors: count("error"),
    skipped: count("skipped"),
    scores: meanScores(cases.map(({ scores }) => scores)),
  };
}

/** Returns the mean of each score over the entries that have it. */
export function meanScores(all: readonly Scores[]): Scores {
  const means: Scores = {};
  for (const name of [...SHARE_SCORES, ...MEASURED_SCORES]) {
    const mean = meanOf(all.flatMap((scores) => scores[name] ?? []));
    if (mean !== undefined) means[name] = mean;
  }
  return means;
}

function metricsOf(cases: readonly CaseReport[]): Record<string, number> {
  const scores = new Map<string, number[]>();
  for (const { check, metric, score, isError } of cases.flatMap(({ runs }) => runs.flatMap(({ checks }) => checks))) {
    if (!check.startsWith("assert[") || isError === true) continue;
    const list = scores.get(metric) ?? [];
    list.push(score);
    scores.set(metric, list);
  }
  return Object.fromEntries([...scores].map(([metric, list]) => [metric, meanOf(list) ?? 0]));
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
