import { SHARE_SCORES } from "../cases/case-schema.ts";
import type { Comparison } from "./compare-reports.ts";
import { reasonsOf } from "./reasons.ts";
import type { EvalReport, GroupReport } from "./report-schema.ts";

/** Number of cases whose reasons are listed. */
const MAX_DETAILS = 50;

/** Formats a report as Markdown, such as for a comment on a pull request. */
export function toMarkdown({ summary, tags, cases }: EvalReport, comparison?: Comparison): string {
  const names = SHARE_SCORES.filter((name) => summary.scores[name] !== undefined);
  const row = (label: string, group: GroupReport) =>
    [label, `${group.passed} of ${group.cases}`, ...names.map((name) => shown(group.scores[name]))].join(" | ");
  const open = cases.filter(({ outcome }) => outcome !== "passed");
  return [
    `## Evals: ${summary.passed} of ${summary.cases} cases passed`,
    "",
    `| | passed | ${names.join(" | ")} |`,
    `| --- | --- |${names.map(() => " --- |").join("")}`,
    `| ${row("all cases", summary)} |`,
    ...Object.entries(tags).map(([tag, group]) => `| ${row(`tag ${escaped(tag)}`, group)} |`),
    "",
    `Cost: ${summary.costUsd.toFixed(4)} USD.`,
    ...comparisonLines(comparison),
    ...(open.length === 0 ? [] : ["", "### Cases that did not pass", ""]),
    ...open.slice(0, MAX_DETAILS).map((one) => `- **${one.caseId}**: ${reasonsOf(one).map(escaped).join("; ")}`),
    ...(open.length > MAX_DETAILS ? [`- and ${open.length - MAX_DETAILS} more`] : []),
    "",
  ].join("\n");
}

function comparisonLines(comparison: Comparison | undefined): readonly string[] {
  if (comparison === undefined) return [];
  const { regressions, broken, repaired } = comparison;
  return [
    "",
    "### Compared with the baseline",
    "",
    ...(regressions.length === 0 ? ["- no regression"] : []),
    ...regressions.map(({ name, before, after }) => `- ${name}: ${shown(before)} before, ${shown(after)} now`),
    ...(broken.length === 0 ? [] : [`- broken: ${broken.join(", ")}`]),
    ...(repaired.length === 0 ? [] : [`- repaired: ${repaired.join(", ")}`]),
  ];
}

function shown(value: number | undefined): string {
  return value === undefined ? "" : value.toFixed(2);
}

/** Escapes what Markdown and its HTML would interpret. A line break would end the row or the entry. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~&]/g, "\\$&").replace(/\s+/g, " ");
}
