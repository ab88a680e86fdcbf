import { xmlAttribute, xmlText } from "@yagate/lib/text/xml-text";
import { GROUPS } from "../conformance-case.ts";
import type { ConformanceReport, ReportedCase } from "./conformance-report.ts";

/**
 * Formats the report as JUnit XML for continuous integration, with one suite per group. An unmet recommendation is
 * reported as skipped with its reason, not as a failure.
 */
export function toJunit({ cases, tookMs, startedAt, target }: ConformanceReport): string {
  const suites = Object.entries(GROUPS).flatMap(([group, heading]) => {
    const own = cases.filter((each) => each.group === group);
    return own.length === 0 ? [] : [suite(heading, own, startedAt)];
  });
  const attributes = `name=${xmlAttribute(`conformance of ${target}`)} ${counts(cases)} time="${inSeconds(tookMs)}"`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${attributes}>`, ...suites, "</testsuites>", ""].join(
    "\n",
  );
}

function suite(name: string, cases: readonly ReportedCase[], startedAt: string): string {
  const tookMs = cases.reduce((sum, each) => sum + each.tookMs, 0);
  const open = `  <testsuite name=${xmlAttribute(name)} ${counts(cases)} errors="0" time="${inSeconds(tookMs)}" timestamp="${startedAt}">`;
  return [open, ...cases.map((each) => testcase(name, each)), "  </testsuite>"].join("\n");
}

function counts(cases: readonly ReportedCase[]): string {
  const failures = cases.filter(isFailure).length;
  const skipped = cases.filter((each) => each.outcome !== "pass" && !isFailure(each)).length;
  return `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
}

function isFailure({ outcome, level }: ReportedCase): boolean {
  return outcome === "fail" && level === "required";
}

function testcase(suiteName: string, each: ReportedCase): string {
  const { id, title, reason = "", advice = "", tookMs, outcome } = each;
  const open = `    <testcase classname=${xmlAttribute(suiteName)} name=${xmlAttribute(`${id}: ${title}`)} time="${inSeconds(tookMs)}"`;
  if (outcome === "pass") return `${open}/>`;
  if (isFailure(each))
    return `${open}><failure message=${xmlAttribute(reason)}>${xmlText(advice)}</failure></testcase>`;
  const message = outcome === "fail" ? `recommended, not met: ${reason}` : reason;
  return `${open}><skipped message=${xmlAttribute(message)}/></testcase>`;
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
