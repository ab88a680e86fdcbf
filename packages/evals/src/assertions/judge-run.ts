import { createWildcard } from "@yagate/lib/text/wildcard";
import { compareCalls } from "../calls/compare-calls.ts";
import { SHARE_SCORES } from "../cases/case-schema.ts";
import type { EvalCase } from "../cases/eval-case.ts";
import type { CaseRun } from "../run/case-run.ts";
import { sourcesOf } from "../scorers/evidence.ts";
import { findUnsafeCalls } from "../scorers/safety.ts";
import { latencyMs, scoreRun } from "../scorers/score-run.ts";
import type { Scores } from "../scorers/scores.ts";
import { checkAssertion } from "./check-assertion.ts";
import type { CheckResult } from "./check-result.ts";
import { decidedIntents } from "./decided-intents.ts";
import type { JudgeRubric } from "./judge-rubric.ts";

/** How a run compares with its case. */
export interface Judgement {
  readonly passed: boolean;
  /** Whether a check could not be carried out. The run has then not passed. */
  readonly hasError: boolean;
  readonly checks: readonly CheckResult[];
  readonly scores: Scores;
  /** The weighted mean of the assertions' scores; undefined without assertions. */
  readonly assertionScore: number | undefined;
}

/**
 * Judges a run by the expectations and assertions of its case. Without a `threshold`, everything must hold. With one,
 * the weighted mean of the assertions' scores must reach it, and everything except assertions must hold.
 */
export async function judgeRun(one: EvalCase, run: CaseRun, judge?: JudgeRubric): Promise<Judgement> {
  const scores = scoreRun(one, run);
  const expectations = [
    ...statusCheck(one, run),
    ...callCheck(one, run),
    ...intentCheck(one, run),
    ...sourceCheck(one, run),
    ...forbiddenCheck(one, run),
    ...budgetChecks(one, run),
    ...scoreChecks(one, scores),
  ];
  const assertions: CheckResult[] = [];
  for (const [at, assertion] of (one.assert ?? []).entries()) {
    assertions.push(await checkAssertion(assertion, at, run, judge));
  }
  const assertionScore = weightedMean(assertions);
  const hasError = assertions.some(({ isError = false }) => isError);
  const meetsThreshold =
    one.threshold === undefined
      ? assertions.every(({ passed }) => passed)
      : assertionScore === undefined || assertionScore >= one.threshold;
  return {
    passed: expectations.every(({ passed }) => passed) && meetsThreshold && !hasError,
    hasError,
    checks: [...expectations, ...assertions],
    scores,
    assertionScore,
  };
}

function weightedMean(checks: readonly CheckResult[]): number | undefined {
  const total = checks.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return undefined;
  return checks.reduce((sum, { score, weight }) => sum + score * weight, 0) / total;
}

function toCheck(check: string, problems: readonly string[]): CheckResult {
  const passed = problems.length === 0;
  return { check, metric: check, passed, score: passed ? 1 : 0, weight: 1, reason: problems.join("; ") };
}

function statusCheck({ expected_status: expected = "completed" }: EvalCase, { execution }: CaseRun) {
  const { status, error, stopReason } = execution;
  const why = error === null ? (stopReason ?? "") : `${error.code}: ${error.message}`;
  return [toCheck("status", status === expected ? [] : [`expected ${expected}, but it ${status}: ${why}`])];
}

function callCheck({ expected_calls: expected, match = "exact", order = "any" }: EvalCase, run: CaseRun) {
  if (expected === undefined) return [];
  const { problems } = compareCalls({ expected, made: run.calls, match, order, schemas: run.schemas });
  return [toCheck("expected_calls", problems)];
}

function intentCheck({ expected_intents: expected }: EvalCase, { events }: CaseRun): readonly CheckResult[] {
  if (expected === undefined) return [];
  const { chosen, unserved } = decidedIntents(events);
  const shown = chosen.size === 0 ? "none" : [...chosen].join(", ");
  const missing = expected.filter((intent) => !chosen.has(intent));
  return [
    toCheck(
      "expected_intents",
      missing.map((intent) =>
        unserved.has(intent)
          ? `no capability was chosen for ${intent}; see refused in route.decided for the reasons`
          : `${intent} was not chosen; the intents were ${shown}`,
      ),
    ),
  ];
}

function sourceCheck({ required_sources: required }: EvalCase, run: CaseRun): readonly CheckResult[] {
  if (required === undefined) return [];
  const names = sourcesOf(run).flatMap((source) => source.names);
  const missing = required.filter((pattern) => !names.some(createWildcard(pattern)));
  return [
    toCheck(
      "required_sources",
      missing.map((pattern) => `${pattern} is not among the sources of the answer`),
    ),
  ];
}

function forbiddenCheck({ forbidden_tools: forbidden }: EvalCase, { calls }: CaseRun): readonly CheckResult[] {
  if (forbidden === undefined) return [];
  const found = [...new Set(findUnsafeCalls(calls, forbidden).forbidden)];
  return [
    toCheck(
      "forbidden_tools",
      found.map((name) => `${name} was called`),
    ),
  ];
}

function budgetChecks({ budget }: EvalCase, run: CaseRun): readonly CheckResult[] {
  if (budget === undefined) return [];
  const { execution, calls } = run;
  const { inputTokens, outputTokens } = execution.usage;
  const used = {
    calls: calls.length,
    tokens: inputTokens + outputTokens,
    cost_usd: execution.cost.usd,
    wall_time_ms: latencyMs(run) ?? Number.POSITIVE_INFINITY,
  };
  const names = ["calls", "tokens", "cost_usd", "wall_time_ms"] as const;
  return names.flatMap((name) => {
    const most = budget[name];
    if (most === undefined) return [];
    const problem = used[name] > most ? [`used ${used[name]}, more than ${most}`] : [];
    const unknown = name === "cost_usd" && execution.cost.isPartial === true;
    return [
      toCheck(`budget.${name}`, unknown && problem.length === 0 ? ["a part of the cost has no known price"] : problem),
    ];
  });
}

function scoreChecks({ thresholds }: EvalCase, scores: Scores): readonly CheckResult[] {
  return SHARE_SCORES.flatMap((name) => {
    const least = thresholds?.[name];
    if (least === undefined) return [];
    const score = scores[name];
    // Without a failure, there is nothing to recover from.
    if (score === undefined && name === "recovery") return [];
    if (score === undefined) return [toCheck(`thresholds.${name}`, ["there was nothing to score"])];
    return [toCheck(`thresholds.${name}`, score >= least ? [] : [`the score is ${score}, less than ${least}`])];
  });
}
