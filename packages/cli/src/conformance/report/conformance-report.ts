import type { Group, Level } from "../conformance-case.ts";
import type { Finding } from "../finding.ts";
import type { CaseResult } from "../run-cases.ts";

/** One case of a report. */
export interface ReportedCase {
  readonly id: string;
  readonly group: Group;
  readonly level: Level;
  readonly title: string;
  readonly outcome: Finding["outcome"];
  readonly reason?: string;
  /** A note on a case that passed. */
  readonly remark?: string;
  /** What to do about a case that failed. */
  readonly advice?: string;
  readonly tookMs: number;
}

/** The result of a run, which `--json` prints. */
export interface ConformanceReport {
  readonly target: string;
  readonly tool: string;
  readonly startedAt: string;
  readonly tookMs: number;
  /** How the runs of the tool were counted. */
  readonly runsSeenBy: string;
  readonly notes: readonly string[];
  readonly summary: {
    readonly passed: number;
    readonly requiredFailed: number;
    readonly recommendedFailed: number;
    readonly requiredNotJudged: number;
    readonly recommendedNotJudged: number;
    /** Number of cases that require an option that was not given. */
    readonly notAsked: number;
  };
  /** Whether all required cases that were judged passed. */
  readonly conforms: boolean;
  readonly cases: readonly ReportedCase[];
}

export function toConformanceReport(
  results: readonly CaseResult[],
  about: Omit<ConformanceReport, "summary" | "conforms" | "cases">,
): ConformanceReport {
  const count = (outcome: ReportedCase["outcome"], level?: Level) =>
    results.filter(({ finding, case: each }) => finding.outcome === outcome && (level ?? each.level) === each.level)
      .length;
  const requiredFailed = count("fail", "required");
  return {
    ...about,
    summary: {
      passed: count("pass"),
      requiredFailed,
      recommendedFailed: count("fail", "recommended"),
      requiredNotJudged: count("not-judged", "required"),
      recommendedNotJudged: count("not-judged", "recommended"),
      notAsked: count("not-asked"),
    },
    conforms: requiredFailed === 0,
    cases: results.map(toReportedCase),
  };
}

function toReportedCase({ case: { id, group, level, title, advice }, finding, tookMs }: CaseResult): ReportedCase {
  return {
    id,
    group,
    level,
    title,
    outcome: finding.outcome,
    ...(finding.outcome === "pass"
      ? finding.remark !== undefined && { remark: finding.remark }
      : { reason: finding.reason }),
    ...(finding.outcome === "fail" && { advice }),
    tookMs,
  };
}
