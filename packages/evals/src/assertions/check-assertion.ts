import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { canonicalJson } from "@yagate/lib/json-schema/keywords/canonical-json";
import { LinearPattern } from "@yagate/lib/json-schema/linear-pattern";
import { cutText } from "@yagate/lib/text/cut-text";
import { jsonSchemaProblem } from "../arguments/match-arguments.ts";
import { type Assertion, splitType } from "../cases/assertion-schema.ts";
import type { CaseRun } from "../run/case-run.ts";
import { citationOverlap } from "../scorers/citation-overlap.ts";
import { passagesOf } from "../scorers/evidence.ts";
import { latencyMs } from "../scorers/score-run.ts";
import type { CheckResult } from "./check-result.ts";
import type { JudgeRubric } from "./judge-rubric.ts";

/** The share of claims that must be supported, unless the assertion sets a threshold. */
const DEFAULT_OVERLAP = 0.8;
const QUOTED_CHARACTERS = 120;

/** A verdict before `not-` is applied. */
interface Verdict {
  readonly passed: boolean;
  readonly score?: number;
  readonly reason: string;
  readonly isError?: boolean;
}

/**
 * Checks one assertion against a run.
 *
 * @param at - the position of the assertion in the case.
 * @param judge - grades rubrics; undefined if the case has no judge.
 */
export async function checkAssertion(
  assertion: Assertion,
  at: number,
  run: CaseRun,
  judge: JudgeRubric | undefined,
): Promise<CheckResult> {
  const { base, isNegated } = splitType(assertion.type);
  const verdict = base === "llm-rubric" ? await rubricVerdict(assertion, at, judge) : verdictOf(base, assertion, run);
  const score = verdict.score ?? (verdict.passed ? 1 : 0);
  const isError = verdict.isError === true;
  const passed = !isError && verdict.passed !== isNegated;
  return {
    check: `assert[${at}]`,
    metric: assertion.metric ?? assertion.type,
    passed,
    score: isError ? 0 : isNegated ? 1 - score : score,
    weight: assertion.weight,
    reason: passed
      ? ""
      : isNegated && !isError
        ? `${assertion.type}: ${base} holds`
        : `${assertion.type}: ${verdict.reason}`,
    ...(isError ? { isError } : {}),
  };
}

async function rubricVerdict(
  { value, threshold = 1 }: Assertion,
  at: number,
  judge: JudgeRubric | undefined,
): Promise<Verdict> {
  if (judge === undefined) {
    return { passed: false, reason: "expected a judge: name an agent in the case, or with --judge", isError: true };
  }
  const graded = await judge(textOf(value), at);
  if ("problem" in graded) return { passed: false, reason: graded.problem, isError: true };
  return { passed: graded.score >= threshold, score: graded.score, reason: `the judge replied ${graded.grade}` };
}

function verdictOf(base: string, { value, threshold }: Assertion, run: CaseRun): Verdict {
  const output = run.execution.output?.text ?? "";
  switch (base) {
    case "equals":
      return { passed: equals(output, value), reason: `the output is ${quoted(output)}` };
    case "contains":
      return { passed: output.includes(textOf(value)), reason: missing(value, output) };
    case "icontains":
      return { passed: output.toLowerCase().includes(textOf(value).toLowerCase()), reason: missing(value, output) };
    case "regex":
      return {
        passed: new LinearPattern(textOf(value)).test(output),
        reason: `${textOf(value)} matches nothing in ${quoted(output)}`,
      };
    case "is-json":
      return jsonVerdict(output, value);
    case "cost":
      return costVerdict(run, threshold ?? 0);
    case "latency":
      return latencyVerdict(run, threshold ?? 0);
    default:
      return overlapVerdict(run, output, threshold ?? DEFAULT_OVERLAP);
  }
}

function equals(output: string, value: unknown): boolean {
  if (typeof value === "string") return output === value;
  const parsed = parseJsonOrUndefined(output);
  return parsed !== undefined && canonicalJson(parsed) === canonicalJson(value);
}

function jsonVerdict(output: string, schema: unknown): Verdict {
  const parsed = parseJsonOrUndefined(output);
  if (parsed === undefined) return { passed: false, reason: `the output is not JSON: ${quoted(output)}` };
  const problem = isJsonObject(schema) ? jsonSchemaProblem(parsed, schema) : undefined;
  return { passed: problem === undefined, reason: problem ?? "" };
}

function costVerdict({ execution: { cost } }: CaseRun, most: number): Verdict {
  // A lower bound can't show that the cost is within a limit.
  if (cost.isPartial === true && cost.usd <= most) {
    return { passed: false, reason: "a part of the cost has no known price", isError: true };
  }
  return { passed: cost.usd <= most, reason: `it cost ${cost.usd} US dollars, more than ${most}` };
}

function latencyVerdict(run: CaseRun, most: number): Verdict {
  const tookMs = latencyMs(run);
  if (tookMs === undefined) return { passed: false, reason: "the execution has not ended", isError: true };
  return { passed: tookMs <= most, reason: `it took ${tookMs} ms, more than ${most}` };
}

function overlapVerdict(run: CaseRun, output: string, least: number): Verdict {
  const { claims, unsupported } = citationOverlap(output, passagesOf(run));
  const score = claims === 0 ? 1 : (claims - unsupported.length) / claims;
  const [first = ""] = unsupported;
  const reason = `${unsupported.length} of ${claims} claims are not in the cited passages, such as ${quoted(first)}`;
  return { passed: score >= least, score, reason };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function missing(value: unknown, output: string): string {
  return `${quoted(textOf(value))} is not in ${quoted(output)}`;
}

function quoted(text: string): string {
  return JSON.stringify(cutText(text, QUOTED_CHARACTERS));
}
