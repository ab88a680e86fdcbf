import { xmlAttribute, xmlText } from "@yagate/lib/text/xml-text";
import { reasonsOf } from "./reasons.ts";
import type { CaseReport, EvalReport } from "./report-schema.ts";

/** Formats a report as JUnit XML, with one suite for each file of cases. */
export function toJunit({ cases, tookMs, startedAt, summary }: EvalReport): string {
  const files = [...new Set(cases.map(suiteOf))];
  const suites = files.map((file) =>
    suite(
      file,
      cases.filter((one) => suiteOf(one) === file),
      startedAt,
    ),
  );
  const { failed, errors, skipped } = summary;
  const counts = `tests="${cases.length}" failures="${failed}" errors="${errors}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="yagate eval" ${counts} time="${seconds(tookMs)}">`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteOf({ file = "cases" }: CaseReport): string {
  return file;
}

function suite(name: string, cases: readonly CaseReport[], startedAt: string): string {
  const count = (outcome: CaseReport["outcome"]) => cases.filter((one) => one.outcome === outcome).length;
  const counts = `tests="${cases.length}" failures="${count("failed")}" errors="${count("error")}" skipped="${count("skipped")}"`;
  const tookMs = cases.reduce((sum, one) => sum + durationOf(one), 0);
  const open = `  <testsuite name=${xmlAttribute(name)} ${counts} time="${seconds(tookMs)}" timestamp=${xmlAttribute(startedAt)}>`;
  return [open, ...cases.map((one) => testcase(name, one)), "  </testsuite>"].join("\n");
}

function testcase(suiteName: string, one: CaseReport): string {
  const { caseId, outcome } = one;
  const open = `    <testcase classname=${xmlAttribute(suiteName)} name=${xmlAttribute(caseId)} time="${seconds(durationOf(one))}"`;
  if (outcome === "passed") return `${open}/>`;
  const reasons = reasonsOf(one);
  if (outcome === "skipped") return `${open}><skipped message=${xmlAttribute(reasons.join("; "))}/></testcase>`;
  const tag = outcome === "error" ? "error" : "failure";
  return `${open}><${tag} message=${xmlAttribute(reasons[0] ?? "")}>${xmlText(reasons.join("\n"))}</${tag}></testcase>`;
}

function durationOf({ runs }: CaseReport): number {
  return runs.reduce((sum, { tookMs }) => sum + tookMs, 0);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
