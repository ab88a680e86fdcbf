import { inspect } from "node:util";
import { defined } from "@yagate/lib/objects/defined";
import { toVisibleLine, toVisibleText } from "@yagate/protocol";
import { type ErrorReport, reportOf } from "./error-report.ts";
import { EXIT } from "./exit-status.ts";
import type { GlobalOptions } from "./globals.ts";
import { styled } from "./style-text.ts";
import type { OptionNames } from "./wrong-fields.ts";

/** Prints an error to standard error and sets the exit status. */
export function printError(
  error: unknown,
  command: string,
  { json = false, debug = false }: Pick<GlobalOptions, "json" | "debug">,
  options?: OptionNames,
): void {
  const report = reportOf(error, command, options);
  process.exitCode = report.status;
  console.error(json ? toVisibleLine(JSON.stringify(problemOf(report))) : textOf(report));
  // For a bug, only the stack shows where it is.
  if (debug || (report.status === EXIT.defect && !json)) console.error(toVisibleText(inspect(error)));
}

/** Converts an error to the API's error format (RFC 9457). */
function problemOf({ code, message, advice, docs, httpStatus, requestId, cause, fields }: ErrorReport) {
  const words = code.toLowerCase().replaceAll("_", " ");
  return {
    type: `urn:yagate:error:${code}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status: httpStatus,
    detail: message,
    code,
    hint: advice,
    docs,
    ...defined({ requestId, cause }),
    ...(fields.length === 0 ? {} : { errors: fields }),
  };
}

function textOf({ code, message, cause, advice, docs, requestId, httpStatus }: ErrorReport): string {
  const mark = styled(["red", "bold"], `✕ ${code}`, process.stderr);
  const lines = [
    `${mark}  ${indented(message, 2)}`,
    ...(cause === undefined ? [] : [`  cause: ${indented(cause, 4)}`]),
    ...(requestId === undefined || httpStatus < 500 ? [] : [`  request: ${toVisibleLine(requestId)}`]),
    `Try: ${indented(advice, 5)}`,
    docs,
  ];
  return lines.join("\n");
}

/** Indents all lines after the first. They may quote untrusted text, which must not look like a line of this report. */
function indented(text: string, columns: number): string {
  return toVisibleText(text).replaceAll(/\n */g, `\n${" ".repeat(columns)}`);
}
