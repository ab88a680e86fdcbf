import { toVisibleLine } from "@yagate/protocol";
import { duration } from "../text/duration.ts";
import type { VerifyReport } from "./report.ts";

const LABEL_WIDTH = 14;

/** Formats the report for people. */
export function printReport(report: VerifyReport): string {
  const rows = report.accepted ? acceptedRows(report) : refusedRows(report);
  const head = report.accepted ? "accepted" : `rejected: ${report.code}`;
  return [head, "", ...rows.map(row), ...report.notes.flatMap((note) => ["", note])].join("\n");
}

type Row = readonly [label: string, text: string];

function row([label, text]: Row): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${toVisibleLine(text)}`;
}

function acceptedRows(report: VerifyReport): readonly Row[] {
  return [
    ["signature", `entry ${report.entry} of ${report.entries} is correct, with ${report.secret}`],
    ...callRows(report),
    ["audience", audienceText(report)],
  ];
}

function refusedRows(report: VerifyReport): readonly Row[] {
  const { causes = [], faults = [], reason = "" } = report;
  const isSignatureRight = report.entry !== undefined;
  return [
    ["why", reason],
    ...faults.map(({ path, message }): Row => ["field", `${path === "" ? "the body" : path}: ${message}`]),
    ...causes.flatMap(({ cause, advice }): readonly Row[] => [
      [report.isCauseProven ? "cause" : "likely cause", cause],
      ["what to do", advice],
    ]),
    ...(report.isCauseProven
      ? [["evidence", `with ${report.secret}, this cause produces exactly the signature that was sent`] as const]
      : []),
    ...(isSignatureRight
      ? [["signature", `entry ${report.entry} of ${report.entries} is correct, with ${report.secret}`] as const]
      : []),
    ...callRows(report),
  ];
}

function callRows({ call, bodyBytes, ...report }: VerifyReport): readonly Row[] {
  if (call === undefined) return [["body", `${bodyBytes} bytes`]];
  return [
    ["call", `${call.name}, ${call.toolCallId}, attempt ${call.attempt}, ${bodyBytes} bytes`],
    ["signed at", `${call.timestamp}${ageText(report)}`],
  ];
}

function ageText({
  ageSeconds = 0,
  isAgeJudged,
  judgedAt,
  toleranceSeconds,
}: Omit<VerifyReport, "call" | "bodyBytes">) {
  const age = duration(Math.abs(ageSeconds) * 1_000);
  const isInside = Math.abs(ageSeconds) <= toleranceSeconds;
  const side = ageSeconds < 0 ? "in the future" : "old";
  if (isAgeJudged) return `: ${age} ${side} at ${judgedAt}, ${toleranceSeconds} s are allowed`;
  if (isInside) return `: ${age} ${side} now, ${toleranceSeconds} s are allowed`;
  const code = ageSeconds < 0 ? "TIMESTAMP_IN_FUTURE" : "TIMESTAMP_TOO_OLD";
  return `: ${age} ${side} now; a handler would reject it now with ${code}; not checked without --at`;
}

function audienceText({ call, isAudienceJudged }: VerifyReport): string {
  const named = call?.audience ?? "none in the body";
  return isAudienceJudged ? `${named}, as expected` : `${named}; not checked without --audience`;
}
