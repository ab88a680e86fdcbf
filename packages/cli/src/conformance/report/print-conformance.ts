import { toVisibleLine } from "@yagate/protocol";
import { commandName } from "../../command-name.ts";
import { elapsed } from "../../text/duration.ts";
import { GROUPS, type Group } from "../conformance-case.ts";
import type { ConformanceReport, ReportedCase } from "./conformance-report.ts";

const PAGE = "docs/conformance-cases.md";

/**
 * Formats the report for people: a line for each group, then the cases that did not pass.
 *
 * @param isVerbose - whether to print a line for each case that passed too.
 */
export function printConformance(report: ConformanceReport, isVerbose: boolean): string {
  const groups = Object.keys(GROUPS).filter((group): group is Group => group in GROUPS);
  const head = [
    `${report.target}, tool ${report.tool}: ${report.cases.length} cases in ${elapsed(report.tookMs)}`,
    `Runs are ${report.runsSeenBy}.`,
    ...report.notes,
  ];
  const blocks = groups.flatMap((group) => {
    const cases = report.cases.filter((each) => each.group === group);
    return cases.length === 0 ? [] : [["", ...printGroup(group, cases, isVerbose)].join("\n")];
  });
  return [...head, ...blocks, "", conclusion(report)].join("\n");
}

function printGroup(group: Group, cases: readonly ReportedCase[], isVerbose: boolean): readonly string[] {
  const passed = cases.filter(({ outcome }) => outcome === "pass").length;
  const shown = isVerbose ? cases : cases.filter(({ outcome, remark }) => outcome !== "pass" || remark !== undefined);
  return [`${GROUPS[group]}: ${passed} of ${cases.length} passed`, ...shown.flatMap((each) => printCase(each))];
}

function printCase({
  id,
  level,
  title,
  outcome,
  reason = "",
  remark,
  advice = "",
  group,
}: ReportedCase): readonly string[] {
  const anchor = GROUPS[group].toLowerCase().replaceAll(" ", "-");
  switch (outcome) {
    case "pass":
      return [line("ok", `${id}: ${title}`), ...(remark === undefined ? [] : [line("", remark)])];
    case "not-judged":
    case "not-asked":
      return [line(outcome === "not-asked" ? "skipped" : "not judged", `${id} (${level}): ${title}`), line("", reason)];
    case "fail":
      return [
        line(level === "required" ? "FAILED" : "not met", `${id} (${level}): ${title}`),
        line("", reason),
        line("", advice),
        line("", `more: ${commandName()} conformance --explain ${id}, or ${PAGE}#${anchor}`),
      ];
  }
}

function line(mark: string, text: string): string {
  return `  ${mark.padEnd(12)}${toVisibleLine(text)}`;
}

function conclusion({ summary, conforms }: ConformanceReport): string {
  const counts = [
    [summary.passed, "passed"],
    [summary.requiredFailed, "required failed"],
    [summary.recommendedFailed, "recommended not met"],
    [summary.requiredNotJudged, "required not judged"],
    [summary.recommendedNotJudged, "recommended not judged"],
    [summary.notAsked, "skipped"],
  ] as const;
  const text = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(", ");
  if (!conforms) return `It does not conform: ${text}.`;
  return summary.requiredNotJudged === 0
    ? `It conforms: ${text}.`
    : `No required case failed, but some were not judged: ${text}.`;
}
